#include "http/operators/inspection.hpp"

#include <charconv>
#include <vector>

#include "actors/accounts/email.hpp"
#include "actors/accounts/key_text.hpp"
#include "http/api/json.hpp"
#include "persistence/keys.hpp"
#include "persistence/records.hpp"
#include "persistence/result_codec.hpp"

namespace http {
namespace {

using persistence::Store;
using persistence::Table;
using Text = tl::expected<std::string, std::string>;

constexpr auto kUnreadable = "the data directory cannot be read";
constexpr auto kSpelling =
    "a record is accounts/ACCOUNT, emails/ADDRESS, keys/ACCOUNT, limits/ACCOUNT, projects/ACCOUNT/PROJECT, "
    "runs/ACCOUNT/PROJECT or results/ACCOUNT/PROJECT";

/// The numbers after the name in "projects/1/17"; empty when one of them is no number.
std::vector<std::uint64_t> numbers_of(std::string_view text) {
  std::vector<std::uint64_t> numbers;
  while (!text.empty()) {
    text.remove_prefix(1);  // the slash
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto used = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || (used < text.size() && text[used] != '/')) return {};
    numbers.push_back(number);
    text.remove_prefix(used);
  }
  return numbers;
}

std::string json_of(const persistence::Account& a) {
  Json json;
  json.begin_object().field("id", a.id).field("email", a.email).field("plan", a.plan);
  json.key("created_ms").integer(a.created_ms).key("expires_ms").integer(a.expires_ms);
  return json.end_object().str();
}

std::string json_of(const persistence::Project& p) {
  Json json;
  json.begin_object().field("id", p.id).field("account", p.account).field("name", p.name);
  json.field("address_sent", p.address_sent).field("street", p.street);
  json.field("house_number", p.house_number).field("postcode", p.postcode).field("town", p.town);
  json.field("country", p.country).field("lon_deg", p.lon_deg, 7).field("lat_deg", p.lat_deg, 7);
  json.exact("consumption_kwh", p.consumption_kwh).field("load_profile", p.load_profile);
  return json.key("created_ms").integer(p.created_ms).end_object().str();
}

const char* name_of(persistence::RunState state) {
  switch (state) {
    case persistence::RunState::waiting:
      return "waiting";
    case persistence::RunState::running:
      return "running";
    case persistence::RunState::finished:
      return "finished";
    case persistence::RunState::failed:
      break;
  }
  return "failed";
}

std::string json_of(const persistence::Run& r) {
  Json json;
  json.begin_object().field("id", r.id).field("account", r.account).field("project", r.project);
  json.field("state", name_of(r.state)).field("step", r.step).field("steps_done", r.steps_done);
  json.field("steps_total", r.steps_total).field("failure_code", r.failure_code);
  json.field("failure_text", r.failure_text).key("queued_ms").integer(r.queued_ms);
  json.key("started_ms").integer(r.started_ms).key("ended_ms").integer(r.ended_ms);
  json.exact("consumption_kwh", r.consumption_kwh).field("load_profile", r.load_profile);
  json.field("request_id", r.request_id).field("failure_reason", r.failure_reason);
  return json.end_object().str();
}

std::string json_of_result(const std::string& bytes) {
  const auto result = persistence::decode_result(bytes);
  Json json;
  json.begin_object().field("bytes", std::uint64_t{bytes.size()}).field("readable", result.has_value());
  if (result) json.field("surfaces", std::uint64_t{result->surfaces.size()});
  return json.end_object().str();
}

Text account_keys(const Store& store, std::uint64_t account) {
  Json json;
  json.begin_array();
  const auto scanned = store.scan(Table::keys, persistence::number_key(account), Store::Order::ascending, {},
                                  [&](std::string_view where, std::string_view value) {
                                    const auto key = persistence::decode_key(std::string(value));
                                    json.begin_object();
                                    json.field("key", actors::key_id(where.substr(sizeof(std::uint64_t))))
                                        .field("readable", key.has_value());
                                    if (key)
                                      json.field("name", key->name)
                                          .key("created_ms")
                                          .integer(key->created_ms)
                                          .key("revoked_ms")
                                          .integer(key->revoked_ms)
                                          .field("revoked", key->revoked);
                                    json.end_object();
                                    return true;
                                  });
  if (!scanned) return tl::make_unexpected(std::string(kUnreadable));
  return json.end_array().str();
}

Text account_limits(const Store& store, std::uint64_t account) {
  Json json;
  json.begin_array();
  const auto scanned =
      store.scan(Table::limits, persistence::number_key(account), Store::Order::ascending, {},
                 [&](std::string_view where, std::string_view value) {
                   const auto window = persistence::decode_window(std::string(value));
                   json.begin_object()
                       .field("class", static_cast<int>(where.back()))
                       .field("readable", window.has_value());
                   json.field("requests", std::uint64_t{window ? window->times_ms.size() : 0}).end_object();
                   return true;
                 });
  if (!scanned) return tl::make_unexpected(std::string(kUnreadable));
  return json.end_array().str();
}

/// The account with an e-mail address.
Text account_of(const Store& store, const std::string& address) {
  const auto email = actors::normal_email(address);
  if (!email) return tl::make_unexpected(address + " is not an e-mail address");
  const auto bytes = store.get(Table::emails, *email);
  if (!bytes) return tl::make_unexpected(std::string(kUnreadable));
  if (!*bytes) return tl::make_unexpected("no account has " + *email);
  return inspect_record(store, "accounts/" + std::to_string(persistence::number_at(**bytes, 0)));
}

/// A record as JSON, or the error that it is damaged.
template <class Record>
Text decoded(const std::optional<Record>& record, const std::string& name) {
  if (!record) return tl::make_unexpected(name + " is damaged");
  return json_of(*record);
}

}  // namespace

Text inspect_tables(const Store& store) {
  Json json;
  json.begin_object().key("tables").begin_object();
  for (std::size_t i = 0; i < persistence::kTables; ++i) {
    std::uint64_t keys = 0, bytes = 0;
    const auto table = static_cast<Table>(i);
    const auto scanned =
        store.scan(table, {}, Store::Order::ascending, {}, [&](std::string_view key, std::string_view value) {
          ++keys;
          bytes += key.size() + value.size();
          return true;
        });
    if (!scanned) return tl::make_unexpected(store.lost_files().value_or(kUnreadable));
    json.key(persistence::name_of(table))
        .begin_object()
        .field("keys", keys)
        .field("bytes", bytes)
        .end_object();
  }
  return json.end_object().end_object().str();
}

Text inspect_record(const Store& store, const std::string& record) {
  const auto slash = record.find('/');
  const std::string table = record.substr(0, slash);
  if (table == "emails" && slash != std::string::npos) return account_of(store, record.substr(slash + 1));
  const auto numbers = numbers_of(slash == std::string::npos ? "" : std::string_view(record).substr(slash));
  const bool of_account = table == "accounts" || table == "keys" || table == "limits";
  const bool of_project = table == "projects" || table == "runs" || table == "results";
  if ((!of_account || numbers.size() != 1) && (!of_project || numbers.size() != 2))
    return tl::make_unexpected(std::string(kSpelling));
  if (table == "keys") return account_keys(store, numbers[0]);
  if (table == "limits") return account_limits(store, numbers[0]);
  const std::string key =
      of_account ? persistence::number_key(numbers[0]) : persistence::project_key(numbers[0], numbers[1]);
  const Table where = table == "accounts"   ? Table::accounts
                      : table == "projects" ? Table::projects
                      : table == "runs"     ? Table::runs
                                            : Table::results;
  const auto bytes = store.get(where, key);
  if (!bytes) return tl::make_unexpected(std::string(kUnreadable));
  if (!*bytes) return tl::make_unexpected("there is no " + record);
  if (where == Table::accounts) return decoded(persistence::decode_account(**bytes), record);
  if (where == Table::projects) return decoded(persistence::decode_project(**bytes), record);
  if (where == Table::runs) return decoded(persistence::decode_run(**bytes), record);
  return json_of_result(**bytes);
}

}  // namespace http
