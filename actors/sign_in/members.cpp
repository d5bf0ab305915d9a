#include "actors/sign_in/members.hpp"

#include "actors/accounts/accounts.hpp"
#include "actors/sign_in/secret.hpp"
#include "persistence/keys.hpp"

namespace actors {

using persistence::Table;

namespace {

constexpr std::uint32_t kSignUpsPerHour = 5;       // of one calling address
constexpr std::uint32_t kMailsPerHour = 5;         // to one recipient, and as many for a new password
constexpr std::uint32_t kEmailChangesPerHour = 5;  // that one account asks for
constexpr std::uint32_t kAllMailsPerHour = 2'000;
constexpr std::uint32_t kGuesses = 10;      // of one account's password
constexpr std::uint32_t kGuessesFrom = 60;  // of one calling address, which may be a whole office's
constexpr std::int64_t kGuessPeriod_ms = 15 * kMinute_ms;
constexpr std::size_t kCached = 10'000;
constexpr std::size_t kMostMailText = 16'384;

}  // namespace

MembersActor::MembersActor(caf::actor_config& config, persistence::Store& store, const ActorOptions& options,
                           SignInOptions sign_in, Clock clock, MembersPeers peers, MetersPtr meters)
    : Measured(config, "members", std::move(meters)),
      store_(store),
      options_(options),
      sign_in_(std::move(sign_in)),
      clock_(std::move(clock)),
      peers_(std::move(peers)),
      at_journal_(
          std::chrono::seconds(options_.journal_timeout_s),
          [this](auto delay) { delayed_send(caf::actor_cast<Members>(this), delay, late_atom::value); }),
      register_(store),
      sign_ups_(kSignUpsPerHour, kHour_ms),
      mails_(kMailsPerHour, kHour_ms),
      all_mails_(kAllMailsPerHour, kHour_ms),
      email_changes_(kEmailChangesPerHour, kHour_ms),
      reset_mails_(kMailsPerHour, kHour_ms),
      guesses_(kGuesses, kGuessPeriod_ms),
      guesses_from_(kGuessesFrom, kGuessPeriod_ms),
      sessions_(kCached, this->meters().cache("sessions")),
      people_(kCached) {}

MembersActor::behavior_type MembersActor::make_behavior() {
  return {[this](MemberOrder& order) { return handle(order); },
          [this](const ReadSession& order) { return read(order); },
          [this](const ListSessions& order) { return list(order); },
          [this](const ReadMailLink& order) { return read(order); },
          [this](const AskPasskeyChallenge& order) { return read(order); },
          [this](const ListPasskeys& order) { return list(order); },
          [this](const AddAccount& order) { return add(order); },
          [this](const GrantAccount& order) { return grant(order); },
          [this](erase_atom, std::uint64_t account) { erase(account); },
          [this](sweep_atom) { sweep(); },
          [this](late_atom) { at_journal_.sweep(clock().now()); }};
}

caf::result<MemberReply> MembersActor::handle(MemberOrder& order) {
  auto promise = make_response_promise<MemberReply>();
  const Answerer answer = [promise](MemberReply reply) mutable {
    if (promise.pending()) promise.deliver(std::move(reply));
  };
  caf::visit([&](auto& deed) { carry(deed, answer); }, order);
  return promise;
}

void MembersActor::store(persistence::Writes writes, const Answerer& answer,
                         std::function<MemberReply(bool)> then) {
  at_journal_.follow<bool>(
      *this, peers_.journal, [answer, then = std::move(then)](bool on_disk) { answer(then(on_disk)); },
      [answer] { answer({.fault = MemberFault::unknown_yet}); }, std::move(writes));
}

void MembersActor::store_and_mail(persistence::Writes writes, std::vector<Hold> holds,
                                  const Answerer& answer) {
  store(std::move(writes), answer, [this, holds = std::move(holds)](bool on_disk) {
    if (on_disk) send(peers_.mailer, next_atom::value);
    return MemberReply{.fault = on_disk ? MemberFault::none : MemberFault::disk};
  });
}

void MembersActor::tell_shard(std::uint64_t account, std::function<void()> then) {
  people_.erase(account);
  if (peers_.accounts.empty()) return then();
  const auto& shard = peers_.accounts[shard_of(account, peers_.accounts.size())];
  request(shard, caf::infinite, forget_atom::value, account)
      .then([then = std::move(then)](bool) { then(); }, [](const caf::error&) {});  // the program ends
}

bool MembersActor::write_mail(const std::string& to, const MailWords& words, persistence::Writes& writes) {
  const auto number = store_.next_id("mail");
  if (!number || words.text.size() > kMostMailText) return false;
  const std::int64_t now = clock_();
  writes.push_back(
      {Table::outbox, persistence::number_key(*number),
       encode(persistence::OutgoingMail{
           .to = to, .subject = words.subject, .text = words.text, .written_ms = now, .next_ms = now})});
  return true;
}

std::string MembersActor::write_token(const persistence::MailToken& token, const char* page,
                                      persistence::Writes& writes) {
  const std::string text = make_token();
  writes.push_back({Table::tokens, fingerprint_of_secret(text), encode(token)});
  return link(page + text);
}

std::optional<MembersActor::Spent> MembersActor::spend(const std::string& token,
                                                       persistence::TokenPurpose purpose,
                                                       const Answerer& answer) {
  Spent spent{{}, fingerprint_of_secret(token), {}};
  const auto found = register_.token(spent.fingerprint, purpose, clock_());
  if (!found) {
    answer({.fault = MemberFault::disk});
    return {};
  }
  spent.hold = spending_.take(spent.fingerprint);
  if (!*found || !spent.hold) {
    answer(*found ? MemberReply{.fault = MemberFault::busy, .retry_after_s = 1}
                  : MemberReply{.fault = MemberFault::dead_link});
    return {};
  }
  spent.token = **found;
  return spent;
}

MailLink MembersActor::read(const ReadMailLink& order) const {
  using persistence::TokenPurpose;
  const std::string fingerprint = fingerprint_of_secret(order.token);
  for (const TokenPurpose purpose :
       {TokenPurpose::sign_up, TokenPurpose::new_password, TokenPurpose::new_email}) {
    const auto token = register_.token(fingerprint, purpose, clock_());
    if (!token) return {.readable = false};
    if (*token)
      return {true,
              true,
              purpose == TokenPurpose::sign_up,
              purpose == TokenPurpose::new_password,
              purpose == TokenPurpose::new_email,
              (*token)->email_shown};
  }
  return {};
}

}  // namespace actors
