#include "http/api/forms.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <tl/expected.hpp>
#include <vector>

#include "http/api/field_checks.hpp"
#include "http/api/load_profiles.hpp"

namespace http {
namespace {

using actors::Code;

constexpr std::size_t kDepthMax = 32;
constexpr std::array<std::string_view, 5> kPackings{"gzip", "deflate", "compress", "br", "zstd"};

template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

/// As number_in; a number too large for any project is the largest, because every project has a smaller one.
std::uint64_t project_bound_in(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return 0;
  return error == std::errc::result_out_of_range ? std::numeric_limits<std::uint64_t>::max() : value;
}

template <class T>
bool out_of_range(std::string_view number) {
  T value{};
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  return error == std::errc::result_out_of_range && end == number.data() + number.size();
}

/// Whether a text is a JSON number that no type holds, as 1e400 or 2^64. Other texts of its characters are no
/// concern of ours: simdjson refuses them.
bool is_huge(std::string_view number) {
  constexpr std::string_view kDigits = "0123456789";
  const std::string_view digits = number.substr(number.starts_with('-') ? 1 : 0);
  const auto digit_at = [&](std::size_t i) {
    return i < digits.size() && kDigits.find(digits[i]) != kDigits.npos;
  };
  const std::size_t point = digits.find('.');
  const bool leading_zero = digits.starts_with('0') && digit_at(1);
  const bool bare_point = point != digits.npos && !(digit_at(point - 1) && digit_at(point + 1));
  if (!digit_at(0) || leading_zero || bare_point) return false;
  if (digits.find_first_not_of(kDigits) != digits.npos) return out_of_range<double>(number);
  return number == digits ? out_of_range<std::uint64_t>(number) : out_of_range<std::int64_t>(number);
}

/// The text with null for each number that no type holds. simdjson calls such a number a fault of the text.
/// For the contract it is a wrong value of its field, and nothing in a field that nobody reads.
std::string without_huge_numbers(std::string_view text) {
  constexpr std::string_view kOfNumbers = "+-.0123456789eE";
  std::string out;
  bool in_string = false;
  while (!text.empty()) {
    std::size_t size = 1;
    if (in_string) {
      size =
          text.front() == '\\' ? std::min<std::size_t>(2, text.size()) : 1;  // what is escaped ends no string
      in_string = text.front() != '"';
    } else if (text.front() == '"') {
      in_string = true;
    } else {
      size = std::max<std::size_t>(1, std::min(text.find_first_not_of(kOfNumbers), text.size()));
    }
    const std::string_view word = text.substr(0, size);
    out += !in_string && is_huge(word) ? std::string_view("null") : word;
    text.remove_prefix(size);
  }
  return out;
}

/// Whether a Content-Encoding names a coding that would have to be undone (RFC 9110, 8.4.1). Some clients
/// send "utf-8" there: it changes nothing.
bool is_packed(std::string_view codings) {
  const std::string lower = boost::algorithm::to_lower_copy(std::string(codings));
  return std::any_of(kPackings.begin(), kPackings.end(),
                     [&](std::string_view packing) { return lower.find(packing) != std::string::npos; });
}

/// A JSON object with unique keys. Its fields point into this thread's parser: they are valid until the
/// thread parses its next body.
class Body {
 public:
  static Read<Body> parse(const Request& request) {
    const std::string type = media_type(request.header("content-type").value_or(""));
    if (type != "application/json") return refused(Code::inhaltstyp_falsch);
    if (is_packed(request.header("content-encoding").value_or("")))
      return tl::make_unexpected(actors::Refusal{
          .code = Code::inhaltstyp_falsch,
          .text = "Der Inhalt wurde gepackt gesendet (Content-Encoding); das liest der Dienst nicht.",
          .advice = "Senden Sie das JSON ohne Content-Encoding."});
    if (request.body.size() > kBodyMax) return refused(Code::anfrage_zu_gross);
    thread_local simdjson::dom::parser parser;
    simdjson::dom::element root;
    auto fault = simdjson::SUCCESS;
    if (parser.capacity() < request.body.size() || parser.max_depth() != kDepthMax)
      fault = parser.allocate(request.body.size(), kDepthMax);
    if (fault == simdjson::SUCCESS) fault = parser.parse(request.body).get(root);
    if (fault == simdjson::NUMBER_ERROR) fault = parser.parse(without_huge_numbers(request.body)).get(root);
    if (fault != simdjson::SUCCESS)
      return invalid("Der Inhalt ist kein gültiges JSON in UTF-8 (ohne Byte Order Mark).");
    Body body;
    if (root.get(body.object_) != simdjson::SUCCESS) return invalid("Der Inhalt ist kein JSON-Objekt.");
    std::vector<std::string_view> names;
    for (const auto field : body.object_) names.push_back(field.key);
    std::sort(names.begin(), names.end());
    if (std::adjacent_find(names.begin(), names.end()) != names.end())
      return invalid("Ein Feld kommt im Inhalt doppelt vor.");
    return body;
  }

  bool has(const char* name) const { return object_[name].error() == simdjson::SUCCESS; }
  std::optional<std::string_view> text(const char* name) const {
    std::string_view value;
    return object_[name].get(value) == simdjson::SUCCESS ? std::optional(value) : std::nullopt;
  }
  std::optional<double> number(const char* name) const {
    double value = 0;
    return object_[name].get(value) == simdjson::SUCCESS ? std::optional(value) : std::nullopt;
  }

 private:
  static std::string media_type(std::string_view content_type) {
    std::string type(content_type.substr(0, content_type.find(';')));
    std::erase_if(type, [](char c) { return c == ' ' || c == '\t'; });
    std::transform(type.begin(), type.end(), type.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return type;
  }
  simdjson::dom::object object_;
};

Read<actors::CreateProject> create_project(const Request& request) {
  const auto body = Body::parse(request);
  if (!body) return tl::make_unexpected(body.error());
  for (const char* field : {"name", "adresse"})
    if (!body->text(field))
      return invalid(std::string("Das Feld ") + field + (body->has(field) ? " ist kein Text." : " fehlt."));
  const auto name = checked_name(*body->text("name"));
  if (!name) return tl::make_unexpected(name.error());
  const auto address = checked_address(*body->text("adresse"));
  if (!address) return tl::make_unexpected(address.error());
  const auto consumption = checked_consumption(body->number("jahresverbrauch_kwh").value_or(0));
  if (!consumption) return tl::make_unexpected(consumption.error());
  const auto profile = checked_profile(body->text("lastprofil").value_or(""));
  if (!profile) return tl::make_unexpected(profile.error());
  return actors::CreateProject{*name, *address, *consumption, *profile, request.id};
}

Read<actors::SingleCall> single_call(const Request& request) {
  if (!request.well_formed) return invalid("Die Abfrage ist nicht richtig kodiert.");
  const auto address_text = request.parameter("adresse");
  if (!address_text) return invalid("Der Parameter adresse fehlt.");
  const auto address = checked_address(*address_text);
  if (!address) return tl::make_unexpected(address.error());
  auto kwh = request.parameter("jahresverbrauch_kwh");
  if (!kwh) kwh = request.parameter("verbrauch");
  const auto consumption = checked_consumption(number_in<double>(kwh.value_or("")).value_or(0));
  if (!consumption) return tl::make_unexpected(consumption.error());
  const auto profile = checked_profile(request.parameter("lastprofil").value_or(kDefaultLoadProfile));
  if (!profile) return tl::make_unexpected(profile.error());
  actors::SingleCall call{{"", *address, *consumption, *profile, request.id}};
  if (const auto name_text = request.parameter("name"); name_text && !name_text->empty()) {
    const auto name = checked_name(*name_text);
    if (!name) return tl::make_unexpected(name.error());
    call.project.name = *name;
  }
  return call;
}

Read<actors::ListProjects> list_projects(const Request& request) {
  if (!request.well_formed) return invalid("Die Abfrage ist nicht richtig kodiert.");
  actors::ListProjects order{kPageDefault, 0};
  if (const auto limit = request.parameter("limit")) {
    order.limit = number_in<int>(*limit).value_or(0);
    if (order.limit < 1 || order.limit > kPageMax)
      return invalid("Der Parameter limit ist keine ganze Zahl von 1 bis " + std::to_string(kPageMax) + ".");
  }
  if (const auto before = request.parameter("vor_id")) {
    order.before = project_bound_in(*before);
    if (order.before == 0) return invalid("Der Parameter vor_id ist keine positive ganze Zahl.");
  }
  return order;
}

Read<std::uint64_t> project_number(const std::string& text) {
  const auto number = number_in<std::uint64_t>(text);
  if (!number || *number == 0) return refused(Code::projekt_unbekannt);
  return *number;
}

Read<actors::RestartAnalysis> restart(const Request& request, const std::string& project) {
  const auto number = project_number(project);
  if (!number) return tl::make_unexpected(number.error());
  actors::RestartAnalysis order{.project = *number, .request_id = request.id};
  if (blank(request.body)) return order;
  const auto body = Body::parse(request);
  if (!body) return tl::make_unexpected(body.error());
  if (body->has("jahresverbrauch_kwh")) {
    const auto consumption = checked_consumption(body->number("jahresverbrauch_kwh").value_or(0));
    if (!consumption) return tl::make_unexpected(consumption.error());
    order.consumption_kwh = *consumption;
  }
  if (body->has("lastprofil")) {
    const auto profile = checked_profile(body->text("lastprofil").value_or(""));
    if (!profile) return tl::make_unexpected(profile.error());
    order.load_profile = *profile;
  }
  return order;
}

Read<actors::QueryMedia> stored_medium(const std::string& project, actors::MediaKind kind) {
  return project_number(project).map([kind](std::uint64_t id) { return actors::QueryMedia{id, kind}; });
}

Read<actors::QueryMedia> image(const Request& request, const std::string& project, actors::MediaKind kind) {
  if (!request.well_formed) return invalid("Die Abfrage ist nicht richtig kodiert.");
  auto order = stored_medium(project, kind);
  if (!order) return order;
  order->png = request.parameter("format") == "png";
  order->width_px = kWidthDefault_px;
  if (const auto width = request.parameter("breite")) {
    order->width_px = number_in<int>(*width).value_or(0);
    if (order->width_px < kWidthMin_px || order->width_px > kWidthMax_px)
      return invalid("Der Parameter breite ist keine ganze Zahl von " + std::to_string(kWidthMin_px) +
                     " bis " + std::to_string(kWidthMax_px) + ".");
  }
  return order;
}

template <class T>
actors::Command command_of(Read<T> read) {
  if (!read) return actors::Command(read.error());
  return actors::Command(std::move(*read));
}

}  // namespace

actors::Command read_create_project(const Request& request) { return command_of(create_project(request)); }
actors::Command read_single_call(const Request& request) { return command_of(single_call(request)); }
actors::Command read_list_projects(const Request& request) { return command_of(list_projects(request)); }

actors::Command read_query_analysis(const std::string& project) {
  return command_of(project_number(project).map([](std::uint64_t id) { return actors::QueryAnalysis{id}; }));
}

actors::Command read_restart(const Request& request, const std::string& project) {
  return command_of(restart(request, project));
}

actors::Command read_media_list(const std::string& project) {
  return command_of(stored_medium(project, actors::MediaKind::listing));
}

actors::Command read_surface_image(const Request& request, const std::string& project,
                                   const std::string& surface) {
  auto order = image(request, project, actors::MediaKind::surface_image);
  // What cannot be read becomes 0, which no surface has: the project's shard then lists the numbers there
  // are.
  if (order) order->surface = number_in<int>(surface).value_or(0);
  return command_of(std::move(order));
}

actors::Command read_overview_image(const Request& request, const std::string& project) {
  return command_of(image(request, project, actors::MediaKind::overview_image));
}

actors::Command read_orthophoto(const std::string& project) {
  return command_of(stored_medium(project, actors::MediaKind::orthophoto));
}

actors::Command read_model(const std::string& project) {
  return command_of(stored_medium(project, actors::MediaKind::model));
}

}  // namespace http
