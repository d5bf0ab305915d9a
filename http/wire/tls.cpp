#include "http/wire/tls.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <algorithm>
#include <array>
#include <climits>
#include <ctime>
#include <new>

namespace http {
namespace {

constexpr unsigned char kHttp11[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* length, const unsigned char* offered,
                    unsigned int offered_length, void*) {
  auto* out = const_cast<unsigned char*>(*chosen);
  if (SSL_select_next_proto(&out, length, kHttp11, sizeof kHttp11, offered, offered_length) !=
      OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_NOACK;
  *chosen = out;
  return SSL_TLSEXT_ERR_OK;
}

int whole(std::size_t size) { return static_cast<int>(std::min<std::size_t>(size, INT_MAX)); }

}  // namespace

void TlsContext::Deleter::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }
void TlsSession::Deleter::operator()(ssl_st* session) const { SSL_free(session); }

tl::expected<std::shared_ptr<const TlsContext>, std::string> TlsContext::load(const std::string& certificate,
                                                                              const std::string& key) {
  auto context = std::make_shared<TlsContext>();
  context->context_.reset(SSL_CTX_new(TLS_server_method()));
  SSL_CTX* const raw = context->get();
  if (!raw) throw std::bad_alloc();
  SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
  SSL_CTX_set_options(raw, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_alpn_select_cb(raw, choose_protocol, nullptr);
  ERR_clear_error();
  if (SSL_CTX_use_certificate_chain_file(raw, certificate.c_str()) != 1)
    return tl::make_unexpected("--http.tls-cert=" + certificate + " is no readable certificate chain (PEM)");
  // OpenSSL takes a key of another type as that of a second certificate, which there is not.
  if (SSL_CTX_use_PrivateKey_file(raw, key.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(raw) != 1)
    return tl::make_unexpected("--http.tls-key=" + key +
                               " is no readable private key (PEM) of the certificate");
  return context;
}

std::chrono::system_clock::time_point TlsContext::ends() const {
  std::tm utc{};
  ASN1_TIME_to_tm(X509_get0_notAfter(SSL_CTX_get0_certificate(get())), &utc);
  return std::chrono::system_clock::from_time_t(::timegm(&utc));
}

TlsSession::TlsSession(std::shared_ptr<const TlsContext> context)
    : context_(std::move(context)), session_(SSL_new(context_->get())) {
  BIO* const in = BIO_new(BIO_s_mem());
  BIO* const out = BIO_new(BIO_s_mem());
  if (!session_ || !in || !out) throw std::bad_alloc();
  BIO_set_mem_eof_return(in, -1);  // empty means: more will come
  SSL_set_bio(session_.get(), in, out);
  SSL_set_accept_state(session_.get());
}

bool TlsSession::receive(std::string_view bytes, std::string& plain) {
  ERR_clear_error();
  BIO_write(SSL_get_rbio(session_.get()), bytes.data(), whole(bytes.size()));
  std::array<char, 16'384> buffer;
  int got = 0;
  while ((got = SSL_read(session_.get(), buffer.data(), whole(buffer.size()))) > 0)
    plain.append(buffer.data(), static_cast<std::size_t>(got));
  const int why = SSL_get_error(session_.get(), got);
  if (SSL_is_init_finished(session_.get())) flush_waiting();
  return why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE || why == SSL_ERROR_ZERO_RETURN;
}

void TlsSession::send(std::string_view plain) {
  waiting_ += plain;
  if (SSL_is_init_finished(session_.get())) flush_waiting();
}

bool TlsSession::established() const { return SSL_is_init_finished(session_.get()) == 1; }

std::size_t TlsSession::held() const {
  return waiting_.size() + wire_.size() + BIO_ctrl_pending(SSL_get_wbio(session_.get()));
}

void TlsSession::flush_waiting() {
  ERR_clear_error();
  std::size_t sent = 0;
  while (sent < waiting_.size()) {
    // The memory BIO takes everything, so a failure means that the session is over.
    const int n = SSL_write(session_.get(), waiting_.data() + sent, whole(waiting_.size() - sent));
    if (n <= 0) break;
    sent += static_cast<std::size_t>(n);
  }
  waiting_.clear();
}

void TlsSession::close() {
  ERR_clear_error();
  if (SSL_is_init_finished(session_.get())) SSL_shutdown(session_.get());
}

std::string& TlsSession::wire() {
  BIO* const out = SSL_get_wbio(session_.get());
  if (const std::size_t size = BIO_ctrl_pending(out); size > 0) {
    const std::size_t had = wire_.size();
    wire_.resize(had + size);
    const int got = BIO_read(out, wire_.data() + had, whole(size));
    wire_.resize(had + static_cast<std::size_t>(std::max(got, 0)));
  }
  return wire_;
}

}  // namespace http
