// The records as plain values, and their bytes (records.proto). A reader returns nothing for bytes that are
// damaged or of an unknown version.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace persistence {

inline constexpr std::uint32_t kRecordVersion = 1;

struct Account {
  std::uint64_t id = 0;
  std::string email;
  std::string plan = "regular";  ///< "regular" or "test"
  std::int64_t created_ms = 0;
  std::int64_t expires_ms = 0;  ///< 0: never
};

struct Key {
  std::uint64_t account = 0;
  std::string name;
  std::string fingerprint;  ///< SHA-256 of the key's text, 32 bytes
  std::int64_t created_ms = 0;
  std::int64_t revoked_ms = 0;  ///< 0: in force
};

struct Project {
  std::uint64_t id = 0;
  std::uint64_t account = 0;
  std::string name;
  std::string address_sent;
  std::string street, house_number, postcode, town, country;
  double lon_deg = 0, lat_deg = 0;
  double consumption_kwh = 0;  ///< of the last request
  std::string load_profile;    ///< of the last request
  std::int64_t created_ms = 0;
};

enum class RunState { waiting, running, finished, failed };

struct Run {
  std::uint64_t id = 0;  ///< grows with every run and so gives the order in line
  std::uint64_t project = 0;
  std::uint64_t account = 0;
  RunState state = RunState::waiting;
  std::string step;
  int steps_done = 0;
  int steps_total = 0;
  std::string failure_code;  ///< the contract's, when failed
  std::string failure_text;
  std::int64_t queued_ms = 0, started_ms = 0, ended_ms = 0;
  double consumption_kwh = 0;
  std::string load_profile;
  std::uint64_t scene_bytes = 0;  ///< size of the data its pictures are drawn from; 0: none can be drawn
  std::string request_id;         ///< X-Request-Id of the request that started it
  std::string failure_reason;     ///< for operators, when failed: one English sentence
};

/// What was made from a project when its owner saved it.
struct SavedMedia {
  std::int64_t saved_ms = 0;
  std::uint64_t model_bytes = 0;
  std::uint64_t orthophoto_bytes = 0;  ///< 0: no aerial image shows the property
  std::string attribution;
};

/// The requests that a limit counts.
struct Window {
  std::vector<std::int64_t> times_ms;  ///< oldest first
};

std::string encode(const Account&);
std::string encode(const Key&);
std::string encode(const Project&);
std::string encode(const Run&);
std::string encode(const SavedMedia&);
std::string encode(const Window&);

std::optional<Account> decode_account(const std::string& bytes);
std::optional<Key> decode_key(const std::string& bytes);
std::optional<Project> decode_project(const std::string& bytes);
std::optional<Run> decode_run(const std::string& bytes);
std::optional<SavedMedia> decode_saved_media(const std::string& bytes);
std::optional<Window> decode_window(const std::string& bytes);

}  // namespace persistence
