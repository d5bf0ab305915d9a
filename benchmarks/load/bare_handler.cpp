// The ceiling that every throughput is compared with: a Pistache handler that does nothing but send given
// bytes, over kept connections. `bench_bare PORT THREADS FILE`: answers every request with the file's
// contents.
#include <pistache/endpoint.h>

#include <csignal>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>

namespace {

namespace pi = Pistache;

class BareHandler : public pi::Http::Handler {
 public:
  HTTP_PROTOTYPE(BareHandler)
  explicit BareHandler(std::string body) : body_(std::move(body)) {}
  void onRequest(const pi::Http::Request&, pi::Http::ResponseWriter writer) override {
    // Pistache 0.0.5 closes every connection whose client sends no Connection header field, unless told
    // otherwise.
    writer.headers().remove<pi::Http::Header::Connection>();
    writer.headers().add<pi::Http::Header::Connection>(pi::Http::ConnectionControl::KeepAlive);
    writer.send(pi::Http::Code::Ok, body_, MIME(Application, Json));
  }

 private:
  std::string body_;
};

}  // namespace

/// Read by the thread sanitizer. What it says of Pistache's own HTTP, which roofd does not use, is nobody's
/// finding.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char* __tsan_default_options() { return "report_bugs=0"; }

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: bench_bare PORT THREADS FILE\n";
    return 2;
  }
  std::ifstream file(argv[3], std::ios::binary);
  const std::string body((std::istreambuf_iterator<char>(file)), {});
  std::signal(SIGPIPE, SIG_IGN);
  pi::Http::Endpoint endpoint({"127.0.0.1", pi::Port(static_cast<std::uint16_t>(std::stoi(argv[1])))});
  endpoint.init(
      pi::Http::Endpoint::options()
          .threads(std::stoi(argv[2]))
          .flags(pi::Flags<pi::Tcp::Options>(pi::Tcp::Options::ReuseAddr) | pi::Tcp::Options::NoDelay));
  endpoint.setHandler(std::make_shared<BareHandler>(body));
  endpoint.serve();
}
