// Certificates: an office whose chain is incomplete is trusted once the operator names the missing one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <thread>

#include "geo/fetch/fetcher.hpp"
#include "tests/certificate.hpp"
#include "tests/temporary_folder.hpp"

namespace {

/// Answers as many connections with "[]" as it is told.
class TlsOffice {
  using Tcp = boost::asio::ip::tcp;

 public:
  TlsOffice(const test::PemFiles& pem, int connections)
      : acceptor_(io_, {boost::asio::ip::address_v4::loopback(), 0}) {
    tls_.use_certificate_file(pem.certificate, boost::asio::ssl::context::pem);
    tls_.use_private_key_file(pem.key, boost::asio::ssl::context::pem);
    thread_ = std::thread([this, connections] {
      for (int i = 0; i < connections; ++i) serve_one();
    });
  }
  ~TlsOffice() { thread_.join(); }
  std::string url() const {
    return "https://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + "/";
  }

 private:
  void serve_one() {
    boost::system::error_code error;
    boost::asio::ssl::stream<Tcp::socket> stream(io_, tls_);
    acceptor_.accept(stream.lowest_layer(), error);
    if (!error) stream.handshake(boost::asio::ssl::stream_base::server, error);
    if (error) return;
    boost::asio::streambuf request;
    boost::asio::read_until(stream, request, "\r\n\r\n", error);
    const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]";
    boost::asio::write(stream, boost::asio::buffer(answer), error);
    stream.shutdown(error);
  }

  boost::asio::io_context io_;
  boost::asio::ssl::context tls_{boost::asio::ssl::context::tls_server};
  Tcp::acceptor acceptor_;
  std::thread thread_;
};

TEST(FetchTrust, AServerIsTrustedByTheSystemsCertificatesAndTheOneNamedForIt) {
  const test::TemporaryFolder folder;
  const auto pem = test::make_certificate(folder.file("office"));
  const TlsOffice office(pem, 2);
  const geo::RunControl control;
  geo::NetworkOptions options;
  {
    geo::Network network(options);
    geo::Fetcher fetcher(network, {.tries = 3, .first_wait = std::chrono::milliseconds(10)});
    const auto text = fetcher.text({.url = office.url()}, control);
    ASSERT_FALSE(text);
    EXPECT_THAT(text.error().text, testing::HasSubstr("certificate that is not trusted"));
  }
  options.hosts["127.0.0.1"].ca_file = pem.certificate;
  geo::Network network(options);
  geo::Fetcher fetcher(network);
  const auto text = fetcher.text({.url = office.url(), .content = geo::Content::json}, control);
  ASSERT_TRUE(text) << text.error().text;
  EXPECT_EQ(text->text, "[]");
}

}  // namespace
