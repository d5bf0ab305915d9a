// Who is let in as a standby.
#include "tests/persistence/log_stream_fixture.hpp"

namespace {

using namespace std::chrono_literals;
using namespace persistence;
using test::LogStream;

TEST_F(LogStream, AStandbyOfAnotherPairIsRefused) {
  end_primary();
  group = "other";
  lead(1);
  follow();
  EXPECT_TRUE(told("b is of the pair roofd (cluster.group), this is other"));
  std::this_thread::sleep_for(1s);  // it comes again
  const std::lock_guard guard(leadership.mutex);
  EXPECT_EQ(leadership.lines.find("another version"), std::string::npos);
  EXPECT_EQ(leadership.lines.find("a standby is refused"), leadership.lines.rfind("a standby is refused"));
  EXPECT_EQ(server->figures().copies, 0U);
}

TEST_F(LogStream, AStandbyOfAnOlderVersionIsRefused) {
  const auto says = [this](const std::string& greeting) {
    auto channel = Channel::connect("127.0.0.1", port, tls(), 2'000ms);
    ASSERT_TRUE(channel) << channel.error();
    EXPECT_TRUE((*channel)->send('G', greeting));
    EXPECT_TRUE(soon([&] { return (*channel)->receive(10ms), (*channel)->over(); }));
  };
  Greeting greeting{.name = "b", .group = "roofd", .schema = kSchema};
  says(old_greeting_bytes(greeting));
  EXPECT_TRUE(told("another version"));
  greeting.schema = kSchema - 1;
  says(greeting_bytes(greeting));
  EXPECT_TRUE(told("b would lose what it does not know"));
}

TEST_F(LogStream, AStandbyByThePrimarysOwnNameIsRefusedAndDoesNotLead) {
  follow();
  ASSERT_TRUE(in_sync());
  EXPECT_TRUE(leadership.whole);
  lose_standby();
  follow(0, "a");
  EXPECT_TRUE(soon([this] { return follower->figures().fault.find("own name: a") != std::string::npos; }));
  EXPECT_TRUE(soon([this] { return !leadership.whole; }));
  put(1);
  EXPECT_EQ(server->figures().copies, 1U);
}

TEST_F(LogStream, SilentStrangersDoNotHoldUpTheStandby) {
  std::vector<int> silent;
  for (int n = 0; n < 80; ++n) {
    silent.push_back(::socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in there{};
    there.sin_family = AF_INET;
    there.sin_port = htons(port);
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ASSERT_EQ(::connect(silent.back(), reinterpret_cast<sockaddr*>(&there), sizeof there), 0);
  }
  follow();
  EXPECT_TRUE(in_sync()) << "each of them has five seconds";
  for (const int socket : silent) ::close(socket);
}

TEST_F(LogStream, ACertificateThatTheClustersCaDidNotSignIsRefusedAtTheStart) {
  test::CertificateAuthority other(folder.file(""), "other");
  other.issue("foreign");
  const auto loaded = try_tls("foreign");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().find("certificate=" + folder.file("foreign.crt") + " is not signed by ca="), 0U)
      << loaded.error();
  EXPECT_TRUE(try_tls("foreign", other.file()));
}

TEST_F(LogStream, StrangersAreRefusedAndCostNoMemory) {
  test::CertificateAuthority other(folder.file(""), "other");
  other.issue("stranger");
  authority.issue("elsewhere", "IP:127.0.0.9");
  const std::string both = folder.file("both.crt");
  std::ofstream(both) << std::ifstream(authority.file()).rdbuf() << std::ifstream(other.file()).rdbuf();
  const auto try_as = [&](const std::string& name) {
    const auto as = tls(name, both);
    auto channel = Channel::connect("127.0.0.1", port, as, 2'000ms);
    if (!channel) return channel.error();
    (*channel)->send(
        'G', greeting_bytes(Greeting{.name = "x",
                                     .newest = 0,
                                     .history = {},
                                     .tables = {}}));  // with TLS 1.3 a refusal comes after the handshake
    while (!(*channel)->over()) {
      if ((*channel)->receive(2'000ms)) return std::string("answered");
    }
    return (*channel)->fault();
  };
  EXPECT_NE(try_as("stranger"), "answered");
  EXPECT_NE(try_as("elsewhere"), "answered") << "a certificate that names another machine";
  for (const std::string& garbage : {std::string("GET / HTTP/1.1\r\n\r\n"), std::string(100'000, '\xff')}) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in there{};
    there.sin_family = AF_INET;
    there.sin_port = htons(port);
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ASSERT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&there), sizeof there), 0);
    ::send(socket, garbage.data(), garbage.size(), MSG_NOSIGNAL);
    ::close(socket);
  }
  // A member, but with a greeting of 200 MB.
  auto channel = Channel::connect("127.0.0.1", port, tls(), 2'000ms);
  ASSERT_TRUE(channel) << channel.error();
  (*channel)->send('G', std::string(200U << 20U, 'x'));
  EXPECT_TRUE(soon([&] { return (*channel)->over() || ((*channel)->receive(10ms), (*channel)->over()); }));
  follow();
  EXPECT_TRUE(in_sync()) << "and the standby is served after all that";
}

}  // namespace
