#include "http/commands/certificates.hpp"

#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cstdio>
#include <memory>

namespace http {
namespace {

struct Named {
  const char* option;
  const std::string& file;
};

/// What a client would say of the file's certificates today, with those of the authorities between; empty:
/// nothing.
std::string untimely(const std::string& file) {
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> in(std::fopen(file.c_str(), "r"), std::fclose);
  if (!in) return {};
  for (int number = 1;; ++number) {
    const std::unique_ptr<X509, decltype(&X509_free)> one(PEM_read_X509(in.get(), nullptr, nullptr, nullptr),
                                                          X509_free);
    if (!one) return {};
    const std::string which = number == 1 ? "" : ", certificate " + std::to_string(number) + ",";
    if (X509_cmp_current_time(X509_get0_notAfter(one.get())) < 0) return which + " has ended";
    if (X509_cmp_current_time(X509_get0_notBefore(one.get())) > 0) return which + " has not begun yet";
  }
}

}  // namespace

std::vector<std::string> certificate_warnings(const ServeConfig& config) {
  std::vector<Named> named{{"--http.tls-cert", config.server.tls_cert}};
  if (config.cluster.pair() || config.cluster.takes_workers() || config.cluster.of_worker) {
    named.push_back({"--cluster.certificate", config.cluster.certificate});
    named.push_back({"--cluster.ca", config.cluster.ca});
  }
  std::vector<std::string> warnings;
  for (const auto& [option, file] : named)
    if (const std::string why = untimely(file); !why.empty())
      warnings.push_back(std::string(option) + "=" + file + why + ", so others refuse it");
  return warnings;
}

void renew_certificate(Server& server, actors::Log& log) {
  const auto renewed = server.renew_certificate();
  if (!renewed)
    log.write(
        actors::LogLevel::error,
        actors::LogLine("certificate").field("reason", "the one in use stays in use: " + renewed.error()));
  else if (server.certificate_ends())
    log.write(actors::LogLevel::info,
              actors::LogLine("certificate").field("note", "it was read anew for new connections"));
}

}  // namespace http
