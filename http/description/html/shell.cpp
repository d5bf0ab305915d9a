#include "http/description/html/shell.hpp"

#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include "http/api/digest.hpp"

namespace http::html {
namespace {

std::string security_policy(const Page& page) {
  std::string policy = "default-src 'none'; style-src 'sha256-" + sha256_base64(style_sheet()) + "'; ";
  if (!page.script.empty()) policy += "script-src 'sha256-" + sha256_base64(page.script) + "'; ";
  return policy + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string breakable(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (c == '/' && !out.empty()) out += "<wbr>";
    out += escaped({&c, 1});
  }
  return out;
}

std::string code_block(std::string_view code) {
  return "<div class=\"code\"><pre tabindex=\"0\"><code>" + escaped(code) + "</code></pre></div>\n";
}

std::string pretty_json(const std::string& json) {
  rapidjson::Document document;
  document.Parse(json.c_str(), json.size());
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  writer.SetFormatOptions(rapidjson::kFormatSingleLineArray);
  document.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

Response page_response(const Page& page) {
  std::string out = "<!DOCTYPE html>\n<html lang=\"de\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += "<meta name=\"color-scheme\" content=\"light dark\">\n";
  out += "<meta name=\"description\" content=\"" + escaped(page.summary) + "\">\n";
  out += "<title>" + escaped(page.title) + "</title>\n<style>" + std::string(style_sheet()) + "</style>\n";
  out += "</head>\n<body>\n" + page.body;
  if (!page.script.empty()) out += "<script>" + std::string(page.script) + "</script>\n";
  out += "</body>\n</html>\n";
  Response response{.status = 200, .content_type = "text/html; charset=utf-8", .body = std::move(out)};
  return response.with("Content-Security-Policy", security_policy(page));
}

}  // namespace http::html
