// The options of a service on more than one machine: [cluster] in roofd.conf. Whoever sets none has one
// machine.
#pragma once
#include <caf/config_option_adder.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace http {

struct HostPort {
  std::string host;
  std::uint16_t port = 0;
};

/// "HOST:PORT", an IPv6 address in brackets; nothing for any other text.
std::optional<HostPort> host_port_of(const std::string& text);

struct ClusterConfig {
  std::string name;                  ///< of this member; no two are the same
  std::string address;               ///< where this member's log is followed from
  std::string peer;                  ///< the other member's address
  std::string group = "roofd";       ///< the pair's name in etcd
  std::string etcd;                  ///< URLs of etcd's members, by commas
  std::string workers_address;       ///< where analysis workers connect
  std::string certificate;           ///< this machine's, PEM
  std::string key;                   ///< of the certificate, PEM
  std::string ca;                    ///< whose certificates are members, PEM
  std::int32_t threads = -1;         ///< runs that this machine computes at once; -1: one a core
  std::uint32_t message_max_mb = 8;  ///< the largest result that a worker may send
  bool of_worker = false;            ///< the command is `roofd worker`
  std::uint32_t standby_timeout_s = 2;
  std::uint32_t lease_s = 6;
  std::string mode = "durable";

  /// Primary and standby.
  bool pair() const { return !peer.empty(); }
  bool takes_workers() const { return !workers_address.empty(); }
  std::vector<std::string> etcd_urls() const;
  std::uint32_t resolved_threads() const;

  void add_to(caf::config_option_set& options);
  /// A sentence about the first option that is out of range, missing or contradicts another.
  std::optional<std::string> fault() const;
  /// The same about the files that the options name: certificate, key and CA are read.
  std::optional<std::string> file_fault() const;
};

}  // namespace http
