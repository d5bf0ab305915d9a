// One connection between the members of a pair: frames in order over mutual TLS.
//
// A frame is its payload's length (4 bytes), its kind (1 byte), a CRC-32 of kind and payload (4 bytes), all
// big-endian, then the payload. TLS finds what the network has changed; the sum finds what memory has.
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "persistence/mutual_tls.hpp"

struct ssl_st;

namespace persistence {

struct Frame {
  char kind = 0;
  std::string payload;
};

/// Not thread-safe: one thread owns it. Nothing waits for ever: a member that takes or gives nothing for
/// `patience` is given up.
class Channel {
 public:
  /// The largest batch: a result with its scene and saved files is far below.
  static constexpr std::uint32_t kFrameMax = 256U << 20U;
  static constexpr std::uint32_t kGreetingMax = 64U << 10U;  ///< until the other end has introduced itself

  /// The other end's certificate must be one of the CA and name `host`. The error is a sentence.
  static tl::expected<std::unique_ptr<Channel>, std::string> connect(const std::string& host,
                                                                     std::uint16_t port,
                                                                     std::shared_ptr<const MutualTls> tls,
                                                                     std::chrono::milliseconds patience);
  /// Answers without waiting: the hands are shaken by shakes_hands(), call by call. True: they are.
  static std::unique_ptr<Channel> accepted(int socket, const std::string& host,
                                           std::shared_ptr<const MutualTls> tls,
                                           std::chrono::milliseconds patience);
  bool shakes_hands();
  ~Channel();

  /// False when the connection is over.
  bool send(char kind, std::string_view payload) { return add(kind, payload) && flush(); }
  /// Many frames in few pieces: what is added goes when much of it waits, or with flush() or send().
  bool add(char kind, std::string_view payload);
  bool flush();
  /// The next frame; nothing after `most`, when `wake` (a descriptor, -1: none) becomes readable, or when the
  /// connection is over.
  std::optional<Frame> receive(std::chrono::milliseconds most, int wake = -1);
  /// More bytes have come already.
  bool has_more() const;
  bool over() const { return over_; }
  /// Why it is over, for an operator.
  const std::string& fault() const { return fault_; }
  int socket() const { return socket_; }
  /// This end does not wait any longer.
  void give_up(std::string why);
  void allow_large_frames() { frame_max_ = kFrameMax; }

 private:
  Channel(int socket, std::shared_ptr<const MutualTls> tls, std::chrono::milliseconds patience);
  void expect(const std::string& host);
  void take_in();
  bool wait(short events, std::chrono::milliseconds most, int wake = -1);
  std::optional<Frame> frame();

  struct Deleter {
    void operator()(ssl_st* session) const;
  };
  int socket_;
  std::shared_ptr<const MutualTls> tls_;
  std::unique_ptr<ssl_st, Deleter> session_;
  std::chrono::milliseconds patience_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::uint32_t frame_max_ = kGreetingMax;
  std::string out_;
  std::string in_;
  std::size_t read_ = 0;  // of in_
  bool over_ = false;
  std::string fault_;
};

/// A listening socket for a member's log, which does not block; the error is a sentence. Close it.
tl::expected<int, std::string> listen_on(const std::string& host, std::uint16_t port);

/// Numbers and texts in a frame's payload.
class FrameWriter {
 public:
  FrameWriter& number(std::uint64_t value);
  FrameWriter& text(std::string_view value);
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};
/// Reads what FrameWriter has written. Past the end everything is 0 and empty, and `whole` is false.
class FrameReader {
 public:
  explicit FrameReader(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t number();
  std::string_view text();
  std::string_view rest() const { return bytes_; }
  bool whole() const { return whole_; }

 private:
  std::string_view bytes_;
  bool whole_ = true;
};

}  // namespace persistence
