// What is tried before the service starts.
#include "http/commands/startup.hpp"

#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "geo/addresses/index_file.hpp"
#include "geo/data/address_file.hpp"
#include "http/commands/configuration.hpp"
#include "tests/http/service/running_service.hpp"

namespace {

using ::testing::AllOf;
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

/// An index of the register in a table, whose pages with the houses' places were damaged later: it opens.
void write_damaged_index(const std::string& table, const std::string& path) {
  const auto read = geo::read_address_file(table);
  ASSERT_TRUE(read) << read.error().text;
  geo::AddressIndexBuilder builder;
  for (const geo::House& house : read->houses) builder.add(house);
  auto writer = geo::AddressIndexWriter::create(path);
  ASSERT_TRUE(writer) << writer.error().text;
  std::vector<std::string> places;
  builder.write([&](geo::PageId id, std::string_view bytes) {
    (*writer)->add(id, bytes);
    if (id >> 56U == static_cast<geo::PageId>(geo::PageKind::cell)) places.emplace_back(bytes);
  });
  ASSERT_TRUE((*writer)->finish());
  std::stringstream all;
  all << std::ifstream(path, std::ios::binary).rdbuf();
  std::string bytes = all.str();
  for (const std::string& page : places) {
    const auto at = bytes.find(page);
    ASSERT_NE(at, std::string::npos);
    bytes[at] ^= 1;
  }
  std::ofstream(path, std::ios::binary) << bytes;
}

// A reload reads in a thread of its own, a worker in an actor: what is thrown there ends the program.
TEST(Startup, ADamagedPageOfAnAddressIndexIsAFaultThatNamesIt) {
  const test::TemporaryFolder folder;
  const std::string region = folder.path("region");
  std::filesystem::copy(std::filesystem::path(test::sample_region().catalogue).parent_path(), region,
                        std::filesystem::copy_options::recursive);
  http::ServeConfig config = without_catalogue(folder);
  config.geodata = region + "/geodata.json";
  nlohmann::json catalogue = nlohmann::json::parse(std::ifstream(config.geodata));
  for (auto& set : catalogue["datasets"])
    if (set["kind"] == "addresses") set["path"] = "houses.addr";
  std::ofstream(config.geodata) << catalogue;
  write_damaged_index(region + "/addresses.csv", region + "/houses.addr");
  std::vector<std::string> faults;
  EXPECT_FALSE(http::try_geodata(config, faults));
  EXPECT_THAT(faults, ElementsAre(AllOf(HasSubstr("houses.addr: is damaged"), HasSubstr("import it again"))));
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
