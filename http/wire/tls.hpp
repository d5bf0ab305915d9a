// TLS between the wire and the connection's text. OpenSSL works on memory and the transport carries its
// output. Nothing here touches a descriptor, so a client with a slow handshake delays nobody else.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

struct ssl_ctx_st;
struct ssl_st;

namespace http {

/// Certificate and key, shared by all connections. TLS 1.2 and later, HTTP/1.1 by ALPN.
class TlsContext {
 public:
  /// `certificate`: a PEM file with the chain, the server's own first; `key`: its private key, PEM without a
  /// password. The error is one sentence that names the option and the file.
  static tl::expected<std::shared_ptr<const TlsContext>, std::string> load(const std::string& certificate,
                                                                           const std::string& key);
  ssl_ctx_st* get() const { return context_.get(); }
  /// From this moment on clients refuse the certificate.
  std::chrono::system_clock::time_point ends() const;

 private:
  struct Deleter {
    void operator()(ssl_ctx_st* context) const;
  };
  std::unique_ptr<ssl_ctx_st, Deleter> context_;
};

/// The server's side of one TLS connection. Not thread-safe.
class TlsSession {
 public:
  explicit TlsSession(std::shared_ptr<const TlsContext> context);

  /// Takes bytes from the wire and appends the decrypted text to `plain`. False when the other end breaks the
  /// protocol: wire() then holds an alert for it, and no more input is understood.
  bool receive(std::string_view bytes, std::string& plain);
  /// Encrypts text for the other end; before the end of the handshake the text waits.
  void send(std::string_view plain);
  /// The handshake has succeeded.
  bool established() const;
  /// Bytes that wait to be sent, and text that waits for the end of the handshake.
  std::size_t held() const;
  /// Tells the other end that nothing more will come.
  void close();
  /// The bytes to send; the transport erases what it has sent.
  std::string& wire();

 private:
  struct Deleter {
    void operator()(ssl_st* session) const;
  };
  void flush_waiting();

  std::shared_ptr<const TlsContext> context_;
  std::unique_ptr<ssl_st, Deleter> session_;
  std::string waiting_;  // text from before the end of the handshake
  std::string wire_;
};

}  // namespace http
