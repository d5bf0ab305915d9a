// What operators tune in the actors; http/commands/configuration.cpp gives each its name on the command line
// and in roofd.conf.
#pragma once
#include <cstdint>

namespace actors {

inline constexpr int kTestPeriod_days = 30;  ///< how long a test account lives

/// Requests of an account in an hour, and of a calling address in an hour and a day; 0 is off.
struct LimitOptions {
  std::uint32_t create_per_hour = 20;
  std::uint32_t status_per_hour = 900;
  std::uint32_t analyse_per_hour = 40;
  std::uint32_t media_per_hour = 120;
  // Of one calling address, all its requests together:
  std::uint32_t address_per_hour = 500;
  std::uint32_t address_per_day = 5000;
  /// Memory for telling calling addresses apart, MB: 0.3 KB for an address that asks once, 52 KB for one that
  /// uses its whole day. Half is for new addresses, a quarter for further requests of known ones, a quarter
  /// for addresses from which a valid key has come.
  std::uint32_t addresses_mb = 64;
};

struct ActorOptions {
  std::uint32_t slots = 2;             ///< analyses that compute at once
  std::uint32_t deadline_s = 150;      ///< of one analysis, from its first step
  std::uint32_t retention_h = 24;      ///< how long a finished result is kept
  std::uint32_t waiting_max = 10'000;  ///< runs in line; beyond: dienst_ueberlastet
  std::uint32_t address_shards = 2;
  std::uint32_t account_shards = 4;
  std::uint32_t project_shards = 4;
  std::uint32_t geocoders = 1;
  std::uint32_t projects_cached = 10'000;  ///< per shard
  std::uint32_t results_cached_mb = 32;    ///< rendered results, per shard
  std::uint32_t accounts_cached = 10'000;  ///< per shard
  std::uint32_t renderers = 1;             ///< threads that draw
  std::uint32_t renders_waiting_max = 60;  ///< different pictures in line; beyond: dienst_ueberlastet
  std::uint32_t media_cached_mb = 64;      ///< pictures and files
  std::uint32_t geocode_timeout_s = 10;
  std::uint32_t journal_timeout_s = 10;
  LimitOptions limits;
};

}  // namespace actors
