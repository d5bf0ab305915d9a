// What is tried before the service starts.
#include "http/commands/startup.hpp"

#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

#include "http/commands/configuration.hpp"
#include "tests/http/service/running_service.hpp"

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Whether a connection is refused, as it is where nobody listens.
bool refused(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool failed = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0;
  const bool nobody = failed && errno == ECONNREFUSED;
  ::close(fd);
  return nobody;
}

/// A configuration of which the catalogue alone is missing, so that every trial ends soon.
http::ServeConfig without_catalogue(const test::TemporaryFolder& folder) {
  http::ServeConfig config;
  config.geodata = folder.path("no such catalogue");
  config.data_dir = folder.path("data");
  config.server.port = test::free_port();
  config.admin.port = test::free_port();
  return config;
}

// A front end's health check, which must not take a trial for the service.
TEST(Startup, TryingAPortLetsNobodyIn) {
  const test::TemporaryFolder folder;
  http::ServeConfig config = without_catalogue(folder);
  config.web.shown = "off";  // 10,000 trials: what pages need takes its time
  std::atomic<bool> over{false};
  std::atomic<int> let_in{0};
  std::vector<std::thread> health_checks;
  for (int i = 0; i < 8; ++i)
    health_checks.emplace_back([&] {
      while (!over)
        if (!refused(config.server.port)) ++let_in;
    });
  for (int trial = 0; trial < 10'000 && !HasFailure(); ++trial)
    EXPECT_THAT(http::try_startup(config).faults, ElementsAre(HasSubstr("no such catalogue")));
  over = true;
  for (std::thread& check : health_checks) check.join();
  EXPECT_EQ(let_in, 0);
}

TEST(Startup, TriesThePlacesOfAPairAndOfItsWorkersToo) {
  const test::TemporaryFolder folder;
  http::ServeConfig config = without_catalogue(folder);
  config.cluster.name = "a";
  config.cluster.etcd = "http://127.0.0.1:2379";
  config.cluster.peer = "127.0.0.1:1";
  config.cluster.certificate = config.cluster.key = config.cluster.ca = folder.path("none");
  config.cluster.address = "192.0.2.1:7400";  // of no machine (RFC 5737)
  config.cluster.workers_address = "127.0.0.1:" + std::to_string(config.server.port);
  const auto faults = http::try_startup(config).faults;
  EXPECT_THAT(faults, Contains(HasSubstr("--cluster.address: 192.0.2.1:7400 cannot be listened on")));
  EXPECT_THAT(faults, Contains(HasSubstr("--http.port and --cluster.workers-address are the same")));
}

// One of a pair that leads and then cannot serve would have ended the one that can.
TEST(Startup, TriesTheFilesOfPagesAndMail) {
  const test::TemporaryFolder folder;
  http::ServeConfig config = without_catalogue(folder);
  config.web.smtp_password_file = folder.path("no such password");
  EXPECT_THAT(http::try_startup(config).faults, Contains(HasSubstr("no such password")));
  config.web.smtp_password_file.clear();
  config.web.pages.imprint_file = folder.path("no such imprint");
  EXPECT_THAT(http::try_startup(config).faults, Contains(HasSubstr("no such imprint")));
}

TEST(Links, HaveAnIpv6AddressInBrackets) {
  http::ServeConfig config;
  config.server.port = 8080;
  config.server.address = "::1";
  EXPECT_EQ(config.resolved_links().base_url, "http://[::1]:8080/api/v1");
  EXPECT_EQ(config.resolved_links().web_url, "http://[::1]:8080");
  config.server.address = "127.0.0.1";
  EXPECT_EQ(config.resolved_links().base_url, "http://127.0.0.1:8080/api/v1");
}

}  // namespace
