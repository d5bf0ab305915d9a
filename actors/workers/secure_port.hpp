// The wire between home and workers: TLS with certificates on both sides, made and bounded here, and CAF
// behind it. CAF 0.17.6 has TLS of its own (caf_openssl). It is not used, because a stranger can end the
// program: each connection reads the certificate's files anew and throws in CAF's thread when that fails, so
// 54 connections ended a program with 60 descriptors (measured). A stranger who says nothing also keeps his
// connection and 65 KB for ever, connecting blocks, and a header may ask for 4 GB.
//
// Here a stranger has five seconds and one of a
// few places, nobody but a holder of a certificate reaches CAF, and not even he can announce more than the
// largest message.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "persistence/mutual_tls.hpp"

namespace actors {

using MutualTlsPtr = std::shared_ptr<const persistence::MutualTls>;

struct SecurePortOptions {
  std::string host;  ///< an address, or a name of one
  std::uint16_t port = 0;
  std::size_t frame_max = 9U << 20U;  ///< bytes that one message of CAF's protocol may announce
  std::size_t strangers_max = 32;     ///< handshakes at once; beyond, the oldest is given up
  std::size_t members_max = 1000;     ///< connections that are let in
};

/// Where workers connect. Has a thread of its own.
class SecurePort {
 public:
  /// Called in that thread with each connection that is let in: a local socket whose bytes are the other
  /// side's. The callee closes it.
  using OnMember = std::function<void(int descriptor)>;
  /// Called with each that is not: "tls" or "places".
  using OnRefused = std::function<void(const char* why)>;
  /// The error is a sentence.
  static tl::expected<std::unique_ptr<SecurePort>, std::string> listen(const SecurePortOptions& options,
                                                                       const MutualTlsPtr& tls,
                                                                       OnMember on_member,
                                                                       OnRefused on_refused);
  ~SecurePort();
  SecurePort(const SecurePort&) = delete;
  SecurePort& operator=(const SecurePort&) = delete;
  std::uint16_t port() const;

 private:
  struct State;
  explicit SecurePort(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// A connection to such a port; ends with this object, or when either side ends it.
class SecureLink {
 public:
  /// Waits until the other side has let this one in, at most five seconds for each of the host's addresses.
  /// The error is a sentence.
  static tl::expected<std::unique_ptr<SecureLink>, std::string> connect(const SecurePortOptions& to,
                                                                        const MutualTlsPtr& tls);
  ~SecureLink();
  SecureLink(const SecureLink&) = delete;
  SecureLink& operator=(const SecureLink&) = delete;
  /// The local socket, once; the callee closes it.
  int take_descriptor();

 private:
  struct State;
  explicit SecureLink(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace actors
