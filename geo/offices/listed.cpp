#include "geo/offices/listed.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <ctime>

namespace geo::offices {
namespace {

constexpr std::size_t kLongestUrl = 4000;

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

long long count_in(std::string_view digits) {
  long long value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

std::string percent_decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ptr == text.data() + i + 3) {
      plain += static_cast<char>(byte);
      i += 2;
    } else {
      plain += text[i] == '+' ? ' ' : text[i];
    }
  }
  return plain;
}

int checked_date(long long year, long long month, long long day) {
  const bool sound = year >= 1990 && year <= 2100 && month >= 0 && month <= 12 && day >= 0 && day <= 31;
  return sound ? static_cast<int>(year * 10000 + month * 100 + day) : 0;
}

int date_of_epoch(long long milliseconds) {
  const std::time_t seconds = milliseconds / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return checked_date(parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

/// A scheme at the beginning: letters and a colon before any slash.
bool has_scheme(std::string_view link) {
  const std::size_t colon = link.find_first_of(":/?#");
  return colon != std::string_view::npos && colon > 0 && link[colon] == ':';
}

bool starts_as(std::string_view text, std::string_view small) {
  return text.size() >= small.size() &&
         std::equal(small.begin(), small.end(), text.begin(),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

}  // namespace

std::string resolved_url(std::string_view link, std::string_view base) {
  while (!link.empty() && std::isspace(static_cast<unsigned char>(link.front()))) link.remove_prefix(1);
  while (!link.empty() && std::isspace(static_cast<unsigned char>(link.back()))) link.remove_suffix(1);
  link = link.substr(0, link.find('#'));
  if (link.empty() || link.size() > kLongestUrl) return {};
  if (std::any_of(link.begin(), link.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
    return {};
  const std::size_t host = base.find("://") == std::string_view::npos ? 0 : base.find("://") + 3;
  const std::size_t path = std::min(base.find('/', host), base.size());
  std::string url;
  if (has_scheme(link)) {
    url = link;
  } else if (link.starts_with("//")) {
    url = std::string(base.substr(0, host - 2)) + std::string(link);
  } else if (link.starts_with("/")) {
    url = std::string(base.substr(0, path)) + std::string(link);
  } else if (link.starts_with("?")) {
    url = std::string(base.substr(0, base.find('?'))) + std::string(link);
  } else {
    const std::string_view place = base.substr(0, base.find('?'));
    const std::size_t folder = place.rfind('/');
    const bool in_folder = folder != std::string_view::npos && folder >= path;
    url = (in_folder ? std::string(place.substr(0, folder + 1)) : std::string(base.substr(0, path)) + "/") +
          std::string(link.starts_with("./") ? link.substr(2) : link);
  }
  for (std::size_t space = 0; (space = url.find(' ', space)) != std::string::npos;)
    url.replace(space, 1, "%20");
  const bool secure = starts_as(url, "https://");
  if (!secure && (!starts_as(url, "http://") || starts_as(base, "https://"))) return {};
  return url;
}

std::vector<std::string> names_in_url(std::string_view url) {
  std::vector<std::string> names;
  const std::size_t query = url.find('?');
  const std::string_view path = url.substr(0, query);
  names.push_back(percent_decoded(path.substr(path.rfind('/') + 1)));
  if (query == std::string_view::npos) return names;
  for (std::string_view rest = url.substr(query + 1); !rest.empty();) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    if (const std::size_t equals = pair.find('='); equals != std::string_view::npos)
      names.push_back(percent_decoded(pair.substr(equals + 1)));
    rest = pair.size() < rest.size() ? rest.substr(pair.size() + 1) : std::string_view();
  }
  return names;
}

int date_of(std::string_view text) {
  const auto part = [text](std::size_t from, std::size_t count) {
    const std::string_view digits = from < text.size() ? text.substr(from, count) : std::string_view();
    return digits.size() == count && all_digits(digits) ? count_in(digits) : -1LL;
  };
  if (all_digits(text) && text.size() >= 12 && text.size() <= 14) return date_of_epoch(count_in(text));
  if (all_digits(text) && text.size() == 8) return checked_date(part(0, 4), part(4, 2), part(6, 2));
  if (text.size() >= 10 && text[2] == '.' && text[5] == '.')
    return checked_date(part(6, 4), part(3, 2), part(0, 2));
  if (text.size() >= 10 && text[4] == '-' && text[7] == '-')
    return checked_date(part(0, 4), part(5, 2), part(8, 2));
  if (text.size() >= 7 && text[4] == '-' && part(5, 2) > 0 && part(7, 1) < 0)
    return checked_date(part(0, 4), part(5, 2), 0);
  return part(0, 4) > 0 && part(4, 1) < 0 ? checked_date(part(0, 4), 0, 0) : 0;
}

std::string sha256_of(std::string_view text) {
  constexpr std::size_t kDigits = 64;
  if (text.size() == kDigits + 4 && text.starts_with("1220")) text.remove_prefix(4);
  std::string sum;
  for (const char c : text) {
    if (!std::isxdigit(static_cast<unsigned char>(c))) return {};
    sum += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return sum.size() == kDigits ? sum : std::string();
}

}  // namespace geo::offices
