// TLS between the cluster's members: both show a certificate of the cluster's CA, or nobody talks.
#pragma once
#include <memory>
#include <string>
#include <tl/expected.hpp>

struct ssl_ctx_st;

namespace persistence {

/// Certificate, key and CA of this machine; TLS 1.3. Shared by all of its connections.
class MutualTls {
 public:
  /// PEM files; the certificate is one that the CA signed. The error is a sentence that begins with
  /// "certificate=", "key=" or "ca=" and names the file.
  static tl::expected<std::shared_ptr<const MutualTls>, std::string> load(const std::string& certificate,
                                                                          const std::string& key,
                                                                          const std::string& ca);
  ssl_ctx_st* get() const { return context_.get(); }

 private:
  struct Deleter {
    void operator()(ssl_ctx_st* context) const;
  };
  std::unique_ptr<ssl_ctx_st, Deleter> context_;
};

}  // namespace persistence
