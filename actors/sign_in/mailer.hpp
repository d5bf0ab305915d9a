// Sends the outbox's mails, each until a server takes or refuses it, with growing pauses and at most for a
// day. A mail leaves the outbox after the server has it, so a kill in between sends it twice, with one
// Message-ID. Without a mail server mails become files, for development and for services that are off the
// net.
#pragma once
#include <caf/actor_clock.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <functional>
#include <optional>
#include <string>

#include "actors/clock.hpp"
#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "actors/sign_in/options.hpp"
#include "persistence/records.hpp"
#include "persistence/store.hpp"

namespace actors {

/// Gives one mail to the world: send_mail or a file in the program, something shorter in tests.
using Deliver = std::function<Delivery(const Mail&)>;
Deliver delivery_of(const SignInOptions& options);

/// Spawn it detached.
class MailerActor : public Measured<Mailer::base> {
 public:
  MailerActor(caf::actor_config& config, const persistence::Store& store, Mailbox sender, Deliver deliver,
              Clock clock, Journal journal, MetersPtr meters = private_meters());
  const char* name() const override { return "mailer"; }

 private:
  struct Waiting {
    std::string key;
    persistence::OutgoingMail mail;
  };
  behavior_type make_behavior() override;
  void on_exit() override { journal_ = nullptr; }
  void send_next();
  /// The mail that is due first; nothing when the outbox is empty or cannot be read.
  std::optional<Waiting> first();
  void settle(Waiting waiting, const Delivery& delivery);
  void store_end();
  void look_again_in(std::int64_t ms);

  const persistence::Store& store_;
  Mailbox sender_;
  Deliver deliver_;
  Clock clock_;
  Journal journal_;
  bool busy_ = false;  // a mail's end is on its way to the disk
  // What became of a mail that is out of our hands, until the disk has it: it must not be sent again.
  std::optional<persistence::Write> end_;
  // Of the timer that is set. By CAF's clock, which nobody sets back.
  std::optional<caf::actor_clock::time_point> wakes_at_;
};

/// A mail server's words for the log: servers repeat whom they refuse.
std::string without_addresses(std::string_view words);

}  // namespace actors
