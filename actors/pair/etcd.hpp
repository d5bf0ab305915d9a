// etcd's JSON gateway (3.4), as far as leadership needs it: one record, one lease key, transactions on the
// record's revision (etcd.io, "gRPC gateway").
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "actors/pair/leadership.hpp"

namespace actors {

struct EtcdOptions {
  std::vector<std::string> urls;
  std::string group;                 ///< the pair's name in etcd: its keys begin with /roofd/GROUP/
  std::string certificate, key, ca;  ///< shown to members behind https
  long timeout_ms = 1'000;           ///< of a question
  Instant lease_ms = 6'000;
};

/// Blocks. Not thread-safe. Asks one member; when that cannot be reached, the next.
class Etcd {
 public:
  explicit Etcd(EtcdOptions options);
  ~Etcd();

  leadership::Event read();
  leadership::Event take(const leadership::Take& take, Instant now);
  leadership::Event regain(const leadership::Regain& regain, Instant now);
  leadership::Event renew(const leadership::Renew& renew, Instant now);
  leadership::Event set_in_sync(const leadership::SetInSync& set);
  /// Gives the lease back, so that nobody waits for its end.
  void revoke(std::int64_t lease);
  /// Why the last question had no answer; empty: it had.
  const std::string& fault() const { return fault_; }

 private:
  struct Reply;
  Reply ask(const std::string& path, const std::string& body);
  std::optional<ClusterView> view();
  std::int64_t grant();
  std::string put_both(const ClusterRecord& record, std::int64_t revision, std::int64_t lease,
                       bool forced) const;

  EtcdOptions options_;
  std::string record_key_, lease_key_;
  void* curl_ = nullptr;
  std::size_t member_ = 0;
  std::string fault_;
};

/// As it stands in etcd; nothing for any other text.
std::string text_of(const ClusterRecord& record);
std::optional<ClusterRecord> record_of(const std::string& text);

}  // namespace actors
