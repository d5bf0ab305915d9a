// Sends the outbox's mails, each until a server takes or refuses it, with growing pauses and at most for a
// day. A mail leaves the outbox after the server has it, so a kill in between sends it twice, with one
// Message-ID. Without a mail server mails become files, for development and for services that are off the
// net.
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <functional>
#include <optional>
#include <string>

#include "actors/clock.hpp"
#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "actors/sign_in/options.hpp"
#include "persistence/records.hpp"

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
  std::optional<Waiting> first() const;
  void settle(Waiting waiting, const Delivery& delivery);
  void look_again_in(std::int64_t ms);

  const persistence::Store& store_;
  Mailbox sender_;
  Deliver deliver_;
  Clock clock_;
  Journal journal_;
  bool busy_ = false;             // a mail is on its way, or its end on the way to the disk
  std::int64_t wakes_at_ms_ = 0;  // of the timer that is set; 0: none
};

}  // namespace actors
