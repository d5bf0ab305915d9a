// The options of [cluster]: what is missing, out of range or contradictory is said in one sentence.
#include "http/commands/cluster_config.hpp"

#include <gmock/gmock.h>

#include <functional>

namespace {

using http::ClusterConfig;
using ::testing::HasSubstr;

ClusterConfig whole_pair() {
  ClusterConfig config;
  config.name = "a";
  config.address = "10.0.0.11:7400";
  config.peer = "10.0.0.12:7400";
  config.etcd = "http://10.0.0.1:2379, http://10.0.0.2:2379/";
  config.certificate = "a.crt";
  config.key = "a.key";
  config.ca = "ca.crt";
  return config;
}

/// What is said when one option is spoilt.
std::string said(const std::function<void(ClusterConfig&)>& spoil) {
  ClusterConfig config = whole_pair();
  spoil(config);
  return config.fault().value_or("");
}

TEST(ClusterConfig, NothingSetIsOneMachineAndAWholePairIsAPair) {
  EXPECT_EQ(ClusterConfig().fault(), std::nullopt);
  EXPECT_FALSE(ClusterConfig().pair());
  EXPECT_EQ(whole_pair().fault(), std::nullopt);
  EXPECT_TRUE(whole_pair().pair());
  EXPECT_THAT(whole_pair().etcd_urls(), testing::ElementsAre("http://10.0.0.1:2379", "http://10.0.0.2:2379"));
}

TEST(ClusterConfig, NamesTheOptionThatIsMissingOrHasNoPair) {
  EXPECT_THAT(said([](auto& c) { c.name.clear(); }), HasSubstr("--cluster.name is missing"));
  EXPECT_THAT(said([](auto& c) { c.etcd.clear(); }), HasSubstr("--cluster.etcd is missing"));
  EXPECT_THAT(said([](auto& c) { c.key.clear(); }), HasSubstr("--cluster.key is missing"));
  EXPECT_THAT(said([](auto& c) { c.peer.clear(); }), HasSubstr("needs --cluster.peer"));
  ClusterConfig workers;
  workers.workers_address = "10.0.0.11:7500";
  EXPECT_THAT(workers.fault().value_or(""), HasSubstr("--cluster.certificate is missing"));
}

TEST(ClusterConfig, RefusesWhatIsNoAddressAndWhatIsOutOfRange) {
  EXPECT_THAT(said([](auto& c) { c.peer = "10.0.0.12"; }), HasSubstr("not HOST:PORT"));
  EXPECT_THAT(said([](auto& c) { c.peer = "fe80::1:7400"; }), HasSubstr("not HOST:PORT"));
  EXPECT_THAT(said([](auto& c) { c.peer = c.address; }), HasSubstr("are the same"));
  EXPECT_THAT(said([](auto& c) { c.name = "a\"b"; }), HasSubstr("--cluster.name"));
  EXPECT_THAT(said([](auto& c) { c.group = "a/b"; }), HasSubstr("--cluster.group"));
  EXPECT_THAT(said([](auto& c) { c.etcd = "10.0.0.1:2379"; }), HasSubstr("--cluster.etcd"));
  EXPECT_THAT(said([](auto& c) { c.lease_s = 1; }), HasSubstr("--cluster.lease"));
  EXPECT_THAT(said([](auto& c) { c.standby_timeout_s = 0; }), HasSubstr("--cluster.standby-timeout"));
  EXPECT_THAT(said([](auto& c) { c.mode = "fast"; }), HasSubstr("--cluster.mode"));
  EXPECT_EQ(said([](auto& c) { c.peer = "[fe80::1]:7400"; }), "");
}

TEST(ClusterConfig, FilesThatCannotBeReadAreNamed) {
  EXPECT_THAT(whole_pair().file_fault().value_or(""), HasSubstr("--cluster.ca=ca.crt"));
}

}  // namespace
