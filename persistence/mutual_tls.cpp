#include "persistence/mutual_tls.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <new>

namespace persistence {

namespace {

/// Whether the context's CA vouches for its certificate. Its time is not looked at.
bool is_signed(SSL_CTX* context) {
  STACK_OF(X509)* chain = nullptr;
  SSL_CTX_get0_chain_certs(context, &chain);
  const std::unique_ptr<X509_STORE_CTX, decltype(&X509_STORE_CTX_free)> trial(X509_STORE_CTX_new(),
                                                                              X509_STORE_CTX_free);
  if (!trial) throw std::bad_alloc();
  X509_STORE_CTX_init(trial.get(), SSL_CTX_get_cert_store(context), SSL_CTX_get0_certificate(context), chain);
  X509_VERIFY_PARAM_set_flags(X509_STORE_CTX_get0_param(trial.get()), X509_V_FLAG_NO_CHECK_TIME);
  return X509_verify_cert(trial.get()) == 1;
}

}  // namespace

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
  // OpenSSL takes a key of another type as that of a second certificate, which there is not.
  if (SSL_CTX_use_PrivateKey_file(raw, key.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(raw) != 1)
    return tl::make_unexpected("key=" + key + " is no readable private key (PEM) of the certificate");
  if (!is_signed(raw))
    return tl::make_unexpected("certificate=" + certificate + " is not signed by ca=" + ca +
                               ", so the other machines refuse it");
  ERR_clear_error();
  return tls;
}

}  // namespace persistence
