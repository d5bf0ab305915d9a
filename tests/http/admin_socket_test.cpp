// The operators' door in this process: who waits for whom, and where it may lie.
#include "http/operators/admin_socket.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <future>

#include "tests/http/service/running_service.hpp"

namespace {

using http::AdminRequest;
using http::AdminResult;
using http::AdminSocket;

TEST(OperatorsSocket, ARevocationDoesNotWaitForABackup) {
  const test::TemporaryFolder folder;
  std::promise<void> begun, end;
  const auto ended = end.get_future().share();
  const auto socket = AdminSocket::listen(folder.path(""), [&](const AdminRequest& request) {
    if (request.at("command") == "backup") {
      begun.set_value();
      ended.wait();
    }
    return AdminResult{true, request.at("command")};
  });
  ASSERT_TRUE(socket) << socket.error();
  auto backup = std::async(std::launch::async, [&] {
    return AdminSocket::ask(folder.path(""), {{"command", "backup"}});
  });
  begun.get_future().wait();
  const auto revoked = AdminSocket::ask(folder.path(""), {{"command", "key revoke"}});  // would wait for ever
  end.set_value();
  ASSERT_TRUE(revoked);
  EXPECT_EQ(revoked->text, "key revoke");
  EXPECT_EQ(backup.get()->text, "backup");
}

TEST(OperatorsSocket, ACommandThatTakesLongerThanASignOfLifeIsWaitedFor) {
  const test::TemporaryFolder folder;
  const auto socket = AdminSocket::listen(folder.path(""), [&](const AdminRequest&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    return AdminResult{true, "done"};
  });
  ASSERT_TRUE(socket) << socket.error();
  const auto answered = AdminSocket::ask(folder.path(""), {{"command", "backup"}});
  ASSERT_TRUE(answered);
  EXPECT_EQ(answered->text, "done");
}

TEST(OperatorsSocket, TellsWhoComesWhileItHasItsHandsFull) {
  constexpr int kAtOnce = 8;
  const test::TemporaryFolder folder;
  std::promise<void> end;
  const auto ended = end.get_future().share();
  std::atomic<int> begun{0};
  const auto socket = AdminSocket::listen(folder.path(""), [&](const AdminRequest&) {
    ++begun;
    ended.wait();
    return AdminResult{true, "done"};
  });
  ASSERT_TRUE(socket) << socket.error();
  std::vector<std::future<std::optional<AdminResult>>> all;
  const auto ask = [&] { return AdminSocket::ask(folder.path(""), {{"command", "backup"}}); };
  for (int i = 0; i < kAtOnce; ++i) all.push_back(std::async(std::launch::async, ask));
  while (begun < kAtOnce) std::this_thread::yield();
  const auto one_more = ask();
  end.set_value();
  ASSERT_TRUE(one_more);
  EXPECT_FALSE(one_more->ok);
  EXPECT_NE(one_more->text.find("try again"), std::string::npos) << one_more->text;
  for (auto& asked : all) EXPECT_TRUE(asked.get()->ok);
}

TEST(OperatorsSocket, LiesUnderAPathOfAnyLength) {
  const test::TemporaryFolder folder;
  const std::string deep = folder.path(std::string(100, 'a')) + "/" + std::string(100, 'b');
  std::filesystem::create_directories(deep);
  const auto socket = AdminSocket::listen(deep, [](const AdminRequest&) {
    return AdminResult{true, "heard"};
  });
  ASSERT_TRUE(socket) << socket.error();
  const auto answered = AdminSocket::ask(deep, {{"command", "inspect"}});
  ASSERT_TRUE(answered);
  EXPECT_EQ(answered->text, "heard");
}

TEST(OperatorsSocket, SaysWhyItCannotListen) {
  const auto socket =
      AdminSocket::listen("/nowhere/at/all", [](const AdminRequest&) { return AdminResult{}; });
  ASSERT_FALSE(socket);
  EXPECT_NE(socket.error().find("/nowhere/at/all/roofd.sock"), std::string::npos) << socket.error();
}

TEST(OperatorsSocket, NobodyAnswersWhereNobodyListens) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(AdminSocket::ask(folder.path(""), {{"command", "inspect"}}));
}

}  // namespace
