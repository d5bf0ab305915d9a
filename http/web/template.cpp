#include "http/web/template.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace http {
namespace {

constexpr std::size_t kIncludesMax = 16;

struct Tag {
  char kind = ' ';  ///< "#", "^", "/", ">", "!", "&" (not escaped), " " (escaped)
  std::string name;
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::string_view unspaced(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

/// The first tag at or behind `from`, read as kainjow's parser reads it; at npos: there is none.
Tag tag_behind(std::string_view text, std::size_t from) {
  Tag tag;
  tag.begin = text.find("{{", from);
  if (tag.begin == std::string_view::npos) return tag;
  const bool raw = text.substr(tag.begin).starts_with("{{{");
  const std::string_view closing = raw ? "}}}" : "}}";
  const auto close = text.find(closing, tag.begin + closing.size());
  if (close == std::string_view::npos) throw TemplateError("a tag is not closed");
  const auto content = unspaced(text.substr(tag.begin + closing.size(), close - tag.begin - closing.size()));
  const bool marked = !raw && !content.empty() && std::string_view("#^/>!&=").find(content[0]) < 7;
  tag.kind = raw ? '&' : marked ? content[0] : ' ';
  tag.name = unspaced(marked ? content.substr(1) : content);
  tag.end = close + closing.size();
  return tag;
}

void check_tag(const Tag& tag) {
  if (tag.kind == '!') return;
  if (tag.kind == '=') throw TemplateError("the tags' delimiters stay");
  const bool plain = !tag.name.empty() && std::all_of(tag.name.begin(), tag.name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
  if (!plain) throw TemplateError("not a name: " + tag.name);
  if (tag.kind == '&' && !tag.name.ends_with("_html"))
    throw TemplateError("only a name that ends in _html may be put in without escaping: " + tag.name);
}

const std::string& text_named(const TemplateTexts& texts, const std::string& name) {
  const auto text = texts.find(name);
  if (text == texts.end()) throw TemplateError("there is no text " + name);
  return text->second;
}

/// The text with its partials in place, so that nothing is parsed while a page is rendered. `page`: what
/// {{> inhalt}} stands for.
std::string with_partials(const TemplateTexts& texts, const std::string& name, const std::string& page,
                          std::size_t depth = 0) {
  if (depth > kIncludesMax) throw TemplateError(name + " includes itself");
  std::string_view text = text_named(texts, name);
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::string out;
  std::size_t at = 0;
  for (Tag tag = tag_behind(text, 0); tag.begin != std::string_view::npos; tag = tag_behind(text, at)) {
    check_tag(tag);
    out += text.substr(at, tag.begin - at);
    if (tag.kind == '>')
      out += with_partials(texts, tag.name == "inhalt" && !page.empty() ? page : tag.name, page, depth + 1);
    else if (tag.kind != '!')
      out += text.substr(tag.begin, tag.end - tag.begin);
    at = tag.end;
  }
  out += text.substr(at);
  return out;
}

std::string whole_text(const TemplateTexts& texts, const std::string& page, const std::string& layout) {
  return (layout.empty() ? with_partials(texts, page, {}) : with_partials(texts, layout, page)) + "\n";
}

std::map<std::string, Template::Use, std::less<>> uses_in(std::string_view text) {
  std::map<std::string, Template::Use, std::less<>> uses;
  for (Tag tag = tag_behind(text, 0); tag.begin != std::string_view::npos; tag = tag_behind(text, tag.end)) {
    Template::Use& use = uses[tag.name];
    use.as_text |= tag.kind == ' ' || tag.kind == '&';
    use.as_section |= tag.kind == '#' || tag.kind == '^';
  }
  return uses;
}

/// Looks names up, and says so when there is nothing to put for one. kainjow's own puts nothing.
class StrictContext : public kainjow::mustache::context<std::string> {
 public:
  using Uses = std::map<std::string, Template::Use, std::less<>>;
  StrictContext(const TemplateData& data, const Uses& uses, std::vector<std::string>* missing)
      : kainjow::mustache::context<std::string>(&data), uses_(uses), missing_(missing) {}

  const TemplateData* get(const std::string& name) const override {
    const TemplateData* value = kainjow::mustache::context<std::string>::get(name);
    if (value && fits(name, *value)) return value;
    if (!missing_)
      throw TemplateError((value ? "the value does not fit the tag " : "nothing to put for ") + name);
    missing_->push_back(name);
    return nullptr;
  }

 private:
  bool fits(const std::string& name, const TemplateData& value) const {
    if (value.is_lambda() || value.is_lambda2() || value.is_partial() || value.is_invalid()) return false;
    const auto use = uses_.find(name);
    const bool text = use != uses_.end() && use->second.as_text;
    if (!text || value.is_string()) return true;
    // {{#ort}}{{ort}}{{/ort}}: no place, no text.
    return use->second.as_section && (value.is_false() || value.is_empty_list());
  }

  const Uses& uses_;
  std::vector<std::string>* missing_;
};

/// What kainjow writes to, without a stream's locale.
struct HtmlSink {
  std::string text;
  HtmlSink& operator<<(const std::string& more) {
    text += more;
    return *this;
  }
};

}  // namespace

Template::Template(const TemplateTexts& texts, const std::string& page, const std::string& layout) try
    : name_(page), parsed_(std::string()) {
  const std::string text = whole_text(texts, page, layout);
  uses_ = uses_in(text);
  length_ = text.size();
  parsed_ = kainjow::mustache::mustache(text);
  if (!parsed_.is_valid()) throw TemplateError(parsed_.error_message());
} catch (const TemplateError& error) {
  throw TemplateError("template " + page + ": " + error.what());
}

std::string Template::render(const TemplateData& data, std::vector<std::string>* missing) const {
  StrictContext context(data, uses_, missing);
  HtmlSink sink;
  sink.text.reserve(2 * length_);
  try {
    parsed_.render(static_cast<kainjow::mustache::basic_context<std::string>&>(context), sink);
  } catch (const TemplateError& error) {
    throw TemplateError("template " + name_ + ": " + error.what());
  }
  return std::move(sink.text);
}

}  // namespace http
