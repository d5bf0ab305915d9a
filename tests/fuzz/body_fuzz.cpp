// JSON bodies to commands: what passes the form keeps the contract's bounds, whatever was sent.
#include <simdjson.h>

#include <algorithm>
#include <cstdlib>

#include "http/api/forms.hpp"
#include "http/api/load_profiles.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// UTF-8, not empty, without NUL, of at most so many characters.
void require_text(const std::string& text, std::size_t longest) {
  require(simdjson::validate_utf8(text));
  require(!text.empty() && text.find('\0') == std::string::npos);
  require(static_cast<std::size_t>(
              std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; })) <= longest);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  http::Request request;
  request.method = "POST";
  request.headers = {{"content-type", "application/json"}};
  request.body.assign(reinterpret_cast<const char*>(data), size);

  const actors::Command created = http::read_create_project(request);
  if (const auto* order = caf::get_if<actors::CreateProject>(&created)) {
    require_text(order->name, http::kNameMax);
    require_text(order->address, http::kAddressMax);
    require(order->consumption_kwh > 0 && order->consumption_kwh <= http::kConsumptionMax_kwh);
    require(http::known_load_profile(order->load_profile));
  }
  const actors::Command restarted = http::read_restart(request, "42");
  if (const auto* order = caf::get_if<actors::RestartAnalysis>(&restarted)) {
    require(order->project == 42);
    require(order->consumption_kwh >= 0 && order->consumption_kwh <= http::kConsumptionMax_kwh);
    require(order->load_profile.empty() || http::known_load_profile(order->load_profile));
  }
  return 0;
}
