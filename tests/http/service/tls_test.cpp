// HTTPS, with a certificate of the test's own and curl as the client.
#include <curl/curl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include "tests/certificate.hpp"
#include "tests/http/service/raw_client.hpp"
#include "tests/http/service/running_service.hpp"

namespace {

using test::make_certificate;
using test::PemFiles;
using test::RunningService;

/// One kept connection that trusts the test's certificate alone.
class Https {
 public:
  Https(const RunningService& service, const std::string& trusted)
      : base_("https://127.0.0.1:" + std::to_string(service.port())),
        curl_(curl_easy_init(), curl_easy_cleanup) {
    curl_easy_setopt(curl_.get(), CURLOPT_CAINFO, trusted.c_str());
    curl_easy_setopt(curl_.get(), CURLOPT_TIMEOUT, 20L);
    curl_easy_setopt(curl_.get(), CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(curl_.get(), CURLOPT_WRITEDATA, &body);
  }
  /// The status; 0 when there is no answer.
  long get(const std::string& path) {
    body.clear();
    long status = 0;
    curl_easy_setopt(curl_.get(), CURLOPT_URL, (base_ + path).c_str());
    error = curl_easy_perform(curl_.get());
    if (error == CURLE_OK) curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
    return status;
  }
  long new_connections() const {
    long count = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_NUM_CONNECTS, &count);
    return count;
  }
  std::string body;
  CURLcode error = CURLE_OK;

 private:
  static std::size_t take(const char* bytes, std::size_t size, std::size_t count, void* target) {
    static_cast<std::string*>(target)->append(bytes, size * count);
    return size * count;
  }
  std::string base_;
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl_;
};

class Tls : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  PemFiles files_ = make_certificate(folder_.path("server"));
  RunningService service_{{"--http.tls-cert=" + files_.certificate, "--http.tls-key=" + files_.key}};
  Https client_{service_, files_.certificate};
};

TEST_F(Tls, ServesTheApiAndNamesItselfWithHttps) {
  EXPECT_EQ(client_.get("/api/v1/lastprofile"), 200) << curl_easy_strerror(client_.error);
  EXPECT_NE(client_.body.find("H0"), std::string::npos);
  EXPECT_EQ(client_.get("/api/v1/openapi.json"), 200);
  EXPECT_NE(client_.body.find("https://127.0.0.1:" + std::to_string(service_.port()) + "/api/v1"),
            std::string::npos);
}

TEST_F(Tls, KeepsAConnectionForManyRequestsAndCarriesLargeAnswersWhole) {
  ASSERT_EQ(client_.get("/api/v1/openapi.json"), 200);
  const std::string first = client_.body;
  ASSERT_GT(first.size(), 32'000u) << "more than two TLS records";
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(client_.get("/api/v1/openapi.json"), 200);
    EXPECT_EQ(client_.new_connections(), 0) << i;
    EXPECT_EQ(client_.body, first) << i;
  }
}

/// Waits for the log's n-th line with `word`.
void await_line(const RunningService& service, const std::string& word, int n = 1) {
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    const std::string log = service.log();
    int lines = 0;
    for (auto at = log.find(word); at != std::string::npos; at = log.find(word, at + 1)) ++lines;
    if (lines >= n) return;
    ASSERT_LT(std::chrono::steady_clock::now() - begin, test::kLastResort) << log;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

TEST_F(Tls, ARenewedCertificateIsTakenAtASignalForNewConnectionsAndOneOfNoUseIsNot) {
  const std::string series = "roof_http_certificate_not_after_timestamp_seconds";
  ASSERT_EQ(client_.get("/api/v1/lastprofile"), 200);
  const double ended = service_.metric(series);
  EXPECT_NEAR(ended, static_cast<double>(std::time(nullptr) + test::kHour_s), 120);
  const PemFiles renewed = make_certificate(folder_.path("renewed"), 5 * test::kHour_s);
  std::filesystem::rename(renewed.key, files_.key);
  ::kill(service_.pid(), SIGHUP);  // between the two renames: key and certificate do not fit
  await_line(service_, "the one in use stays in use: --http.tls-key=");
  EXPECT_EQ(Https(service_, files_.certificate).get("/api/v1/lastprofile"), 200);
  std::filesystem::rename(renewed.certificate, files_.certificate);
  ::kill(service_.pid(), SIGHUP);
  await_line(service_, "read anew for new connections");
  EXPECT_EQ(client_.get("/api/v1/lastprofile"), 200) << "the kept connection goes on";
  EXPECT_EQ(client_.new_connections(), 0);
  Https after(service_, files_.certificate);
  EXPECT_EQ(after.get("/api/v1/lastprofile"), 200) << curl_easy_strerror(after.error);
  EXPECT_NEAR(service_.metric(series) - ended, 4 * test::kHour_s, 120);
}

TEST(TlsHandshake, ThatDoesNotEndIsEnded) {
  const test::TemporaryFolder folder;
  const PemFiles files = make_certificate(folder.path("server"));
  const RunningService service(
      {"--http.tls-cert=" + files.certificate, "--http.tls-key=" + files.key, "--http.header-timeout=1"});
  test::RawClient silent(service.port());
  test::RawClient slow(service.port());
  slow.send("\x16\x03\x01");  // a record's first bytes
  for (test::RawClient* client : {&silent, &slow}) {
    const auto heard = client->hear();
    EXPECT_TRUE(heard.closed);
    EXPECT_EQ(heard.rest, "");
  }
}

TEST_F(Tls, IsNotHeldUpByClientsThatSayNothingInTheirHandshake) {
  std::vector<std::unique_ptr<test::RawClient>> silent;
  for (int i = 0; i < 50; ++i) silent.push_back(std::make_unique<test::RawClient>(service_.port()));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(client_.get("/api/v1/lastprofile"), 200);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, test::kLastResort);
}

TEST_F(Tls, ClosesAConnectionThatSpeaksSomethingElseAndServesOn) {
  for (const std::string& bytes : {std::string("GET /api/v1/lastprofile HTTP/1.1\r\nHost: a\r\n\r\n"),
                                   std::string(5000, '\0'), std::string("\x16\x03\x01\xff\xff", 5)}) {
    test::RawClient other(service_.port());
    ASSERT_TRUE(other.send(bytes));
    const auto heard = other.hear(1, std::chrono::seconds(3));
    EXPECT_TRUE(heard.replies.empty());
  }
  EXPECT_EQ(client_.get("/api/v1/lastprofile"), 200);
}

TEST_F(Tls, EndsInTimeWithConnectionsOpen) {
  ASSERT_EQ(client_.get("/api/v1/lastprofile"), 200);
  EXPECT_LT(service_.stop(), test::kLastResort);
}

TEST_F(Tls, AKeyOfAnotherTypeIsRefusedAtASignal) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> rsa(EVP_RSA_gen(2048), EVP_PKEY_free);
  const std::unique_ptr<FILE, decltype(&fclose)> out(fopen(files_.key.c_str(), "w"), fclose);
  PEM_write_PrivateKey(out.get(), rsa.get(), nullptr, nullptr, 0, nullptr, nullptr);
  fflush(out.get());
  ::kill(service_.pid(), SIGHUP);
  await_line(service_, "the one in use stays in use: --http.tls-key=");
  EXPECT_GT(service_.metric("roof_http_certificate_not_after_timestamp_seconds"), 0);
  EXPECT_EQ(Https(service_, files_.certificate).get("/api/v1/lastprofile"), 200);
}

TEST(TlsFiles, ThatAreOfNoUseEndTheProgramBeforeItListens) {
  const test::TemporaryFolder folder;
  const PemFiles one = make_certificate(folder.path("one"));
  const PemFiles other = make_certificate(folder.path("other"));
  const auto serve = [&](const std::string& certificate, const std::string& key) {
    return test::run_roofd({"serve", "--geodata=" + test::sample_region().catalogue,
                            "--data-dir=" + folder.path("data"), "--http.port=0",
                            "--http.tls-cert=" + certificate, "--http.tls-key=" + key});
  };
  for (const auto& [certificate, key, named] :
       {std::tuple{folder.path("none.crt"), one.key, "--http.tls-cert="},
        {one.certificate, folder.path("none.key"), "--http.tls-key="},
        {one.certificate, other.key, "--http.tls-key="},
        {one.key, one.key, "--http.tls-cert="},
        {one.certificate, std::string(), "--http.tls-key"}}) {
    const auto ended = serve(certificate, key);
    EXPECT_EQ(ended.exit_code, 2) << certificate << " " << key;
    EXPECT_NE(ended.err.find(named), std::string::npos) << ended.err;
  }
}

}  // namespace
