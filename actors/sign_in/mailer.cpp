#include "actors/sign_in/mailer.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "persistence/keys.hpp"

namespace actors {

using persistence::Table;

namespace {

constexpr std::int64_t kFirstPause_ms = kMinute_ms;
constexpr std::int64_t kLongestPause_ms = kHour_ms;
constexpr std::int64_t kGivenUpAfter_ms = kDay_ms;
constexpr std::int64_t kDiskPause_ms = 10'000;

std::int64_t pause_after(std::uint32_t attempts) {
  constexpr std::uint32_t kDoublings = 6;
  return std::min(kLongestPause_ms, kFirstPause_ms << std::min(attempts, kDoublings));
}

/// Readable for the service's user alone: the link in it opens an account.
Delivery write_to_folder(const Mail& mail, const std::string& folder) {
  namespace fs = std::filesystem;
  const auto text = mail_text(mail);
  if (!text) return {Delivery::Kind::refused, text.error()};
  std::error_code error;
  fs::create_directories(folder, error);
  fs::permissions(folder, fs::perms::owner_all, error);
  const fs::path path = fs::path(folder) / (mail.id + ".eml");
  const fs::path unfinished = path.string() + ".part";
  std::ofstream file(unfinished, std::ios::binary);
  fs::permissions(unfinished, fs::perms::owner_read | fs::perms::owner_write, error);
  if (!(file << *text).flush()) return {Delivery::Kind::later, "the file cannot be written"};
  file.close();
  fs::rename(unfinished, path, error);
  return error ? Delivery{Delivery::Kind::later, "the file cannot be written"}
               : Delivery{Delivery::Kind::accepted, "written to a file"};
}

}  // namespace

Deliver delivery_of(const SignInOptions& options) {
  if (options.smtp.url.empty())
    return [folder = options.outbox_folder](const Mail& mail) { return write_to_folder(mail, folder); };
  return [smtp = options.smtp](const Mail& mail) { return send_mail(mail, smtp); };
}

MailerActor::MailerActor(caf::actor_config& config, const persistence::Store& store, Mailbox sender,
                         Deliver deliver, Clock clock, Journal journal, MetersPtr meters)
    : Measured(config, "mailer", std::move(meters)),
      store_(store),
      sender_(std::move(sender)),
      deliver_(std::move(deliver)),
      clock_(std::move(clock)),
      journal_(std::move(journal)) {}

MailerActor::behavior_type MailerActor::make_behavior() {
  return {[this](next_atom) {
    if (wakes_at_ <= clock().now()) wakes_at_.reset();
    if (busy_) return;
    if (end_)
      store_end();
    else
      send_next();
  }};
}

std::optional<MailerActor::Waiting> MailerActor::first() {
  std::optional<Waiting> first;
  int waiting = 0;
  const auto scanned = store_.scan(Table::outbox, {}, persistence::Store::Order::ascending, {},
                                   [&](std::string_view key, std::string_view value) {
                                     ++waiting;
                                     auto mail = persistence::decode_outgoing_mail(std::string(value));
                                     if (mail && (!first || mail->next_ms < first->mail.next_ms))
                                       first = Waiting{std::string(key), std::move(*mail)};
                                     return true;
                                   });
  if (!scanned) return {};
  meters().mails_waiting.Set(waiting);
  return first;
}

std::string without_addresses(std::string_view words) {
  constexpr std::string_view kAround = " <>()[]{},;:'\"\t\r\n";
  std::string out;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find_first_of(kAround), words.size());
    const std::string_view word = words.substr(0, end);
    out += word.find('@') == std::string_view::npos ? word : std::string_view("...");
    out += words.substr(end, 1);
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return out;
}

/// No mail is put off for longer than the longest pause. If one seems to be, the clock was set back.
void MailerActor::send_next() {
  auto waiting = first();
  if (!waiting) return;
  const std::int64_t early_ms = waiting->mail.next_ms - clock_();
  if (early_ms > 0 && early_ms <= kLongestPause_ms) return look_again_in(early_ms);
  const auto& mail = waiting->mail;
  const std::string number = std::to_string(persistence::number_at(waiting->key, 0));
  const Delivery delivery = deliver_({.id = number + "." + std::to_string(mail.written_ms),
                                      .written_ms = mail.written_ms,
                                      .from = sender_,
                                      .to = {"", mail.to},
                                      .subject = mail.subject,
                                      .text = mail.text});
  settle(std::move(*waiting), delivery);
}

/// Tells operators the mail's number and the server's words, never who gets it.
void MailerActor::settle(Waiting waiting, const Delivery& delivery) {
  auto& mail = waiting.mail;
  const std::int64_t now = clock_();
  const bool too_old = now - mail.written_ms >= kGivenUpAfter_ms;
  const bool over = delivery.kind != Delivery::Kind::later || too_old;
  if (delivery.kind != Delivery::Kind::accepted)
    meters().log().write(over ? LogLevel::error : LogLevel::warning,
                         LogLine(over ? "mail given up" : "mail not sent yet")
                             .field("mail", persistence::number_at(waiting.key, 0))
                             .field("reason", without_addresses(delivery.words)));
  meters()
      .mail_tried(!over                                       ? "later"
                  : delivery.kind == Delivery::Kind::accepted ? "sent"
                                                              : "given up")
      .Increment();
  mail.next_ms = now + pause_after(mail.attempts++);
  end_ = over ? persistence::erased(Table::outbox, waiting.key)
              : persistence::Write{Table::outbox, waiting.key, encode(mail)};
  store_end();
}

void MailerActor::store_end() {
  busy_ = true;
  request(journal_, caf::infinite, persistence::Writes{*end_})
      .then(
          [this](bool on_disk) {
            busy_ = false;
            if (!on_disk) return look_again_in(kDiskPause_ms);
            end_.reset();
            send_next();
          },
          [](const caf::error&) {});  // the program ends
}

void MailerActor::look_again_in(std::int64_t ms) {
  const auto pause = std::chrono::milliseconds(ms);
  const auto at = clock().now() + pause;
  if (wakes_at_ && *wakes_at_ <= at) return;
  wakes_at_ = at;
  delayed_send(caf::actor_cast<Mailer>(this), pause, next_atom::value);
}

}  // namespace actors
