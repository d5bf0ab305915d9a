#include "http/commands/cluster_config.hpp"

#include <algorithm>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <charconv>
#include <thread>

#include "http/commands/web_address.hpp"
#include "persistence/mutual_tls.hpp"

namespace http {
namespace {

constexpr std::uint32_t kLeastLease_s = 2;  // etcd grants none that is shorter
constexpr std::uint32_t kMostLease_s = 60;
constexpr std::uint32_t kMostStandbyTimeout_s = 60;
constexpr std::size_t kMostName = 63;
constexpr std::int32_t kMostThreads = 1024;
constexpr std::uint32_t kMostMessage_mb = 256;

bool is_member_name(const std::string& text) {
  return !text.empty() && text.size() <= kMostName && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_';
  });
}

struct NamedOption {
  const char* name;
  const std::string& value;
};

}  // namespace

std::optional<HostPort> host_port_of(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos) return {};
  HostPort place{text.substr(0, colon), 0};
  if (place.host.starts_with('[') && place.host.ends_with(']'))
    place.host = place.host.substr(1, place.host.size() - 2);
  else if (place.host.find(':') != std::string::npos)
    return {};  // of an IPv6 address without brackets nobody knows where the port begins
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + colon + 1, end, place.port);
  if (place.host.empty() || read.ec != std::errc() || read.ptr != end || place.port == 0) return {};
  return place;
}

std::uint32_t ClusterConfig::resolved_threads() const {
  return threads < 0 ? std::max(1U, std::thread::hardware_concurrency())
                     : static_cast<std::uint32_t>(threads);
}

std::vector<std::string> ClusterConfig::etcd_urls() const {
  std::vector<std::string> urls;
  if (etcd.empty()) return urls;
  boost::split(urls, etcd, boost::is_any_of(","));
  for (std::string& url : urls) {
    boost::trim(url);
    while (url.ends_with('/')) url.pop_back();
  }
  return urls;
}

void ClusterConfig::add_to(caf::config_option_set& options) {
  caf::config_option_adder{options, "cluster"}
      .add(name, "name", "this member's name; no two have the same")
      .add(address, "address", "HOST:PORT where the other member follows this one's log")
      .add(peer, "peer", "the other member's address, HOST:PORT; empty: there is no pair")
      .add(etcd, "etcd", "URLs of etcd's members, by commas: who leads")
      .add(group, "group", "the pair's name there, for several pairs with one etcd")
      .add(workers_address, "workers-address", "HOST:PORT where analysis workers connect; empty: nowhere")
      .add(threads, "threads",
           "runs that this machine computes at once beside other workers; -1: one a core; 0: only while no "
           "worker is there")
      .add(message_max_mb, "message-max", "the largest result that a worker may send, MB")
      .add(certificate, "certificate", "this machine's certificate chain, PEM; signed by ca")
      .add(key, "key", "its private key, PEM")
      .add(ca, "ca", "PEM of a CA of the cluster's own: whoever has a certificate of it is let in")
      .add(standby_timeout_s, "standby-timeout",
           "seconds until a silent standby is left behind and the primary goes on alone")
      .add(lease_s, "lease", "seconds until a silent primary has lost its role")
      .add(
          mode, "mode",
          "durable or available: what the primary does when standby and etcd are both silent; available goes "
          "on alone");
}

std::optional<std::string> ClusterConfig::fault() const {
  // An option of a pair without a pair is a mistake in peer's line.
  for (const NamedOption& option : {NamedOption{"name", name}, {"address", address}, {"etcd", etcd}}) {
    const std::string named = std::string("--cluster.") + option.name;
    if (pair() && option.value.empty()) return named + " is missing, --cluster.peer needs it";
    if (!pair() && !of_worker && !option.value.empty()) return named + " needs --cluster.peer";
  }
  const bool joined = pair() || takes_workers() || of_worker;
  for (const NamedOption& option : {NamedOption{"certificate", certificate}, {"key", key}, {"ca", ca}}) {
    const std::string named = std::string("--cluster.") + option.name;
    if (joined && option.value.empty())
      return named + " is missing: members know each other by certificates only";
    if (!joined && !option.value.empty()) return named + " needs --cluster.peer or --cluster.workers-address";
  }
  for (const NamedOption& option :
       {NamedOption{"address", address}, {"peer", peer}, {"workers-address", workers_address}})
    if (!option.value.empty() && !host_port_of(option.value))
      return std::string("--cluster.") + option.name + "=" + option.value + " is not HOST:PORT";
  if (pair() && !is_member_name(name))
    return "--cluster.name=" + name + " is not a name of letters, digits, '-', '.' and '_'";
  if (!is_member_name(group))
    return "--cluster.group=" + group + " is not a name of letters, digits, '-', '.' and '_'";
  if (pair() && peer == address) return "--cluster.peer and --cluster.address are the same: " + peer;
  if (takes_workers() && workers_address == address)
    return "--cluster.workers-address and --cluster.address are the same: " + address;
  for (const std::string& url : etcd_urls())
    if (!path_of_web_address(url)) return "--cluster.etcd: " + url + " is not an absolute http or https URL";
  if (lease_s < kLeastLease_s || lease_s > kMostLease_s)
    return "--cluster.lease is from " + std::to_string(kLeastLease_s) + " to " + std::to_string(kMostLease_s);
  if (standby_timeout_s == 0 || standby_timeout_s > kMostStandbyTimeout_s)
    return "--cluster.standby-timeout is from 1 to " + std::to_string(kMostStandbyTimeout_s);
  if (threads < -1 || threads > kMostThreads || (of_worker && threads == 0))
    return "--cluster.threads is -1 or from " + std::to_string(of_worker ? 1 : 0) + " to " +
           std::to_string(kMostThreads);
  if (message_max_mb == 0 || message_max_mb > kMostMessage_mb)
    return "--cluster.message-max is from 1 to " + std::to_string(kMostMessage_mb);
  if (mode != "durable" && mode != "available") return std::string("--cluster.mode is durable or available");
  return {};
}

std::optional<std::string> ClusterConfig::file_fault() const {
  if (!pair() && !takes_workers() && !of_worker) return {};
  const auto tls = persistence::MutualTls::load(certificate, key, ca);
  if (!tls) return "--cluster." + tls.error();
  return {};
}

}  // namespace http
