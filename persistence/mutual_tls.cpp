#include "persistence/mutual_tls.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <new>

namespace persistence {

void MutualTls::Deleter::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }

tl::expected<std::shared_ptr<const MutualTls>, std::string> MutualTls::load(const std::string& certificate,
                                                                            const std::string& key,
                                                                            const std::string& ca) {
  auto tls = std::make_shared<MutualTls>();
  tls->context_.reset(SSL_CTX_new(TLS_method()));
  SSL_CTX* const raw = tls->get();
  if (!raw) throw std::bad_alloc();
  SSL_CTX_set_min_proto_version(raw, TLS1_3_VERSION);
  SSL_CTX_set_verify(raw, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  ERR_clear_error();
  if (SSL_CTX_load_verify_locations(raw, ca.c_str(), nullptr) != 1)
    return tl::make_unexpected("ca=" + ca + " is no readable certificate (PEM)");
  if (SSL_CTX_use_certificate_chain_file(raw, certificate.c_str()) != 1)
    return tl::make_unexpected("certificate=" + certificate + " is no readable certificate chain (PEM)");
  if (SSL_CTX_use_PrivateKey_file(raw, key.c_str(), SSL_FILETYPE_PEM) != 1)
    return tl::make_unexpected("key=" + key + " is no readable private key (PEM) of the certificate");
  ERR_clear_error();
  return tls;
}

}  // namespace persistence
