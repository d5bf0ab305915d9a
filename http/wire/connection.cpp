#include "http/wire/connection.hpp"

#include <algorithm>
#include <array>
#include <boost/beast/http.hpp>
#include <random>
#include <utility>

namespace http {

namespace beast = boost::beast::http;

namespace {

std::string lower_case(boost::beast::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string new_request_id() {
  thread_local std::mt19937_64 random{std::random_device{}()};
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string id(16, '0');
  std::uint64_t bits = random();
  for (char& c : id) {
    c = kHex[bits & 15U];
    bits >>= 4U;
  }
  return id;
}

/// Of a whole request. A body sent in chunks of one byte takes six bytes for each ("1", two ends of line, the
/// byte), and some clients write leading zeros.
std::size_t most_bytes(const ConnectionLimits& limits) {
  constexpr std::size_t kChunking = 8;
  return limits.header_bytes + kChunking * limits.body_bytes;
}

}  // namespace

struct Connection::Parser {
  static constexpr std::size_t kUsualHeaders = 8;
  explicit Parser(const ConnectionLimits& limits) {
    message.header_limit(static_cast<std::uint32_t>(limits.header_bytes));
    message.body_limit(limits.body_bytes);
  }
  /// Copies the fields of the header alone: Beast adds the trailer of a chunked body to the same fields, and
  /// neither a Host nor a key may come from there (RFC 9110, 6.5.1).
  void take_header() {
    headers.reserve(kUsualHeaders);
    for (const auto& field : message.get())
      headers.emplace_back(lower_case(field.name_string()), std::string(field.value()));
    // Not message.get().keep_alive(), which looks at the first Connection line alone.
    keep_alive = message.keep_alive();
    message.eager(true);  // from now on the parser takes all bytes there are
  }
  beast::request_parser<beast::string_body> message;
  std::vector<std::pair<std::string, std::string>> headers;
  bool keep_alive = false;
  std::size_t used = 0;  // bytes of the request that have been read
};

Connection::Connection(std::string peer, const ConnectionLimits& limits, OnRequest on_request,
                       OnFault on_fault)
    : peer_(std::move(peer)),
      limits_(limits),
      on_request_(std::move(on_request)),
      on_fault_(std::move(on_fault)),
      last_event_(std::chrono::steady_clock::now()),
      part_began_(last_event_) {}

Connection::~Connection() = default;

void Connection::receive(std::string_view bytes, Time now) {
  last_event_ = now;
  if (closing_) return;
  input_.append(bytes);
  parse(now);
}

void Connection::end_of_input(Time now) {
  ended_ = true;
  parse(now);
}

void Connection::finish() {
  last_ = true;
  if (!partial_ && input_.empty()) read_no_more();
}

/// The answer to the last open request tells that the connection closes.
void Connection::read_no_more() {
  closing_ = true;
  if (!slots_.empty()) slots_.rbegin()->second.keep_alive = false;
}

/// Reads whole requests, as many as may be open at once; the rest waits in the input.
void Connection::parse(Time now) {
  if (parsing_) return;  // called from within the loop below, which goes on by itself
  parsing_ = true;
  while (!closing_ && !input_.empty() && !blocked() && parse_some(now)) {
  }
  parsing_ = false;
  if (!ended_ || closing_ || blocked()) return;
  // The rest of a partial request will not come.
  partial_ ? fault(WireFault::malformed, now) : read_no_more();
}

/// One step; false when more bytes are needed.
bool Connection::parse_some(Time now) {
  if (!partial_) {
    // Old clients send an empty line after a body (RFC 9112, 2.2).
    input_.erase(0, std::min(input_.find_first_not_of("\r\n"), input_.size()));
    if (input_.empty()) return false;
    part_began_ = now;
    partial_ = true;
  }
  if (!parser_) parser_ = std::make_unique<Parser>(limits_);
  boost::system::error_code error;
  const std::size_t used = parser_->message.put(boost::asio::buffer(input_), error);
  input_.erase(0, used);
  // Counted here, because Beast starts its own limit anew with each piece of a header or a trailer.
  parser_->used += used;
  if (parser_->used > (in_body_ ? most_bytes(limits_) : limits_.header_bytes))
    return fault(WireFault::too_large, now), false;
  if (error && error != beast::error::need_more) {
    const bool large = error == beast::error::body_limit || error == beast::error::header_limit;
    fault(large ? WireFault::too_large : WireFault::malformed, now);
    return false;
  }
  // A part that Beast can only read whole is never larger than a header may be. Beast alone would wait
  // without a bound for the end of a chunk's extensions.
  if (error && input_.size() > limits_.header_bytes) return fault(WireFault::too_large, now), false;
  const auto& message = parser_->message;
  if (message.is_header_done() && !std::exchange(in_body_, true)) {
    part_began_ = now;
    if (!header_fits()) return fault(WireFault::malformed, now), false;
    parser_->take_header();
  }
  if (message.is_done()) return dispatch(now), true;
  if (message.is_header_done() && !continued_ && slots_.empty() && input_.empty() &&
      boost::beast::iequals(message.get()[beast::field::expect], "100-continue")) {
    continued_ = true;
    output_ += "HTTP/1.1 100 Continue\r\n\r\n";
  }
  return error != beast::error::need_more && used > 0;
}

/// Checks what Beast allows and RFC 9112 does not: a missing or repeated Host (3.2), and codings that make
/// the body's end ambiguous (6.1), which is how requests are smuggled past a proxy.
bool Connection::header_fits() const {
  const auto& header = parser_->message.get();
  const bool http_11 = header.version() >= 11;
  const std::size_t hosts = header.count(beast::field::host);
  if (hosts > 1 || (http_11 && hosts == 0)) return false;
  const std::size_t codings = header.count(beast::field::transfer_encoding);
  return codings == 0 || (codings == 1 && http_11 &&
                          boost::beast::iequals(header[beast::field::transfer_encoding], "chunked"));
}

void Connection::dispatch(Time now) {
  Parser& parser = *parser_;
  auto message = parser.message.release();
  continued_ = false;
  partial_ = false;
  in_body_ = false;
  last_event_ = now;
  Request request;
  request.id = new_request_id();
  request.peer = peer_;
  request.method = std::string(message.method_string());
  request.headers = std::move(parser.headers);
  read_target({message.target().data(), message.target().size()}, request);
  request.body = std::move(message.body());
  Slot slot;
  slot.head = request.method == "HEAD";
  slot.keep_alive = parser.keep_alive && !(last_ && input_.empty());
  parser_.reset();
  closing_ = !slot.keep_alive;
  const std::uint64_t number = next_number_++;
  slots_.emplace(number, std::move(slot));
  on_request_(std::move(request), number);
}

void Connection::fault(WireFault kind, Time now) {
  partial_ = false;
  in_body_ = false;
  closing_ = true;
  Slot slot;
  slot.head = parser_ && parser_->message.get().method() == beast::verb::head;
  slot.keep_alive = false;
  parser_.reset();
  input_.clear();
  const std::uint64_t number = next_number_++;
  slots_.emplace(number, std::move(slot));
  answer(number, on_fault_(kind, new_request_id()), now);
}

void Connection::answer(std::uint64_t number, const Response& response, Time now) {
  const auto it = slots_.find(number);
  if (it == slots_.end() || it->second.answered) return;
  it->second.bytes = wire_bytes(response, it->second.head, it->second.keep_alive);
  it->second.answered = true;
  answered_bytes_ += it->second.bytes.size();
  last_event_ = now;
  release_answers();
  parse(now);
}

void Connection::release_answers() {
  while (!slots_.empty() && slots_.begin()->second.answered) {
    std::string& bytes = slots_.begin()->second.bytes;
    answered_bytes_ -= bytes.size();
    if (output_.empty())
      output_ = std::move(bytes);
    else
      output_ += bytes;
    slots_.erase(slots_.begin());
  }
}

void Connection::drained(Time now) {
  last_event_ = now;
  parse(now);
}

Connection::Overdue Connection::overdue(Time now) const {
  if (!slots_.empty()) return Overdue::no;
  if (partial_ && output_.size() < limits_.output_bytes)
    return now - part_began_ > (in_body_ ? limits_.body_timeout : limits_.header_timeout) ? Overdue::request
                                                                                          : Overdue::no;
  return now - last_event_ > limits_.idle_timeout ? Overdue::idle : Overdue::no;
}

}  // namespace http
