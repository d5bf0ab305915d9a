// What is made of etcd's answers, right and wrong ones.
#include "actors/pair/etcd.hpp"

#include <gtest/gtest.h>

#include "tests/loopback_server.hpp"

namespace {

using actors::Etcd;
using actors::leadership::InSyncSet;
using actors::leadership::SetInSync;
using actors::leadership::Taken;
using EtcdOutcome = actors::leadership::Outcome;

/// etcd's answer to a transaction; every other question gets a lease.
struct EtcdThatSays {
  std::string of_transactions;
  int status = 200;
  test::LoopbackServer server{[this](const test::LoopbackServer::Request& request) {
    const bool transaction = request.target() == "/v3/kv/txn";
    return test::LoopbackServer::Answer{.status = transaction ? 200 : status,
                                        .body = transaction ? of_transactions : R"({"ID":"7","TTL":"6"})"};
  }};
  Etcd etcd{
      {.urls = {"http://127.0.0.1:" + server.url().substr(17, server.url().size() - 18)}, .group = "g"}};

  EtcdOutcome outcome() {
    return std::get<InSyncSet>(etcd.set_in_sync(SetInSync{{1, "a", {"a"}}, 3})).outcome;
  }
};

TEST(Etcd, AnAnswerThatIsNotWholeIsNeitherAYesNorANo) {
  for (const char* text : {R"({"succeeded":true})", "", "[]", R"({"header":{"revision":"9"})"}) {
    EtcdThatSays etcd{text};
    EXPECT_EQ(etcd.outcome(), EtcdOutcome::unknown) << text;
  }
  EtcdThatSays yes{R"({"header":{"revision":"9"},"succeeded":true})"};
  EXPECT_EQ(yes.outcome(), EtcdOutcome::done);
  EtcdThatSays no{R"({"header":{"revision":"9"}})"};
  EXPECT_EQ(no.outcome(), EtcdOutcome::refused);
}

TEST(Etcd, WithoutALeaseNothingIsAskedFor) {
  EtcdThatSays full{R"({"header":{"revision":"9"},"succeeded":true})", 503};
  const auto taken = std::get<Taken>(full.etcd.take({{1, "a", {"a"}}, 3, false}, 5));
  EXPECT_EQ(taken.outcome, EtcdOutcome::refused);
  EXPECT_EQ(full.server.requests(), 1);
}

}  // namespace
