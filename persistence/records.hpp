// The records as plain values, and their bytes (records.proto). A reader returns nothing for bytes that are
// damaged or of an unknown version.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace persistence {

inline constexpr std::uint32_t kRecordVersion = 1;

struct Account {
  std::uint64_t id = 0;
  std::string email;
  std::string plan = "regular";  ///< "regular" or "test"
  std::int64_t created_ms = 0;
  std::int64_t expires_ms = 0;  ///< 0: never
  std::int64_t closed_ms = 0;   ///< 0: open; else nothing is let in and its data are being erased
};

struct Key {
  std::uint64_t account = 0;
  std::string name;
  std::string fingerprint;  ///< SHA-256 of the key's text, 32 bytes
  std::int64_t created_ms = 0;
  std::int64_t revoked_ms = 0;  ///< 0: in force; in the future: in force until then
  std::string ending;           ///< the last characters of the key's text, for its owner's list
  /// For good. By its time alone a revocation would be over on a machine whose clock is behind.
  bool revoked = false;

  bool in_force(std::int64_t now_ms) const { return !revoked && (revoked_ms == 0 || now_ms < revoked_ms); }
};

/// How often a key was used.
struct KeyUse {
  std::int64_t last_ms = 0;
  struct Day {
    std::int32_t day = 0;  ///< since 1970, UTC
    std::uint32_t requests = 0;
  };
  std::vector<Day> days;  ///< oldest first
};

/// How an account's owner signs in.
struct Credentials {
  std::string password_hash;
  std::string email_shown, email_sending;  ///< as EmailAddress has them
  std::int64_t password_set_ms = 0;
};

/// A browser that is signed in. Its id is not stored, only the fingerprint.
struct Session {
  std::int64_t signed_in_ms = 0, used_ms = 0, expires_ms = 0;
  std::int64_t lifetime_ms = 0;  ///< without use
  std::string browser;           ///< from User-Agent, cut
};

/// A passkey of an account's owner (Web Authentication).
struct Passkey {
  std::string credential_id, public_key_spki;
  std::uint32_t counter = 0;
  std::string name;  ///< its owner's
  std::int64_t created_ms = 0, used_ms = 0;
};

/// What the link in a mail is for.
enum class TokenPurpose { sign_up, new_password, new_email };

struct MailToken {
  TokenPurpose purpose = TokenPurpose::sign_up;
  std::int64_t expires_ms = 0;
  std::uint64_t account = 0;  ///< 0 for a sign-up
  std::string email_shown, email_sending, email_key;
  std::string password_hash;  ///< of a sign-up
  /// Credentials::password_set_ms of the account when the link was sent; 0: it had none.
  std::int64_t password_set_ms = 0;
};

struct OutgoingMail {
  std::string to;  ///< ASCII, as EmailAddress::sending
  std::string subject, text;
  std::int64_t written_ms = 0;
  std::int64_t next_ms = 0;  ///< not sent before
  std::uint32_t attempts = 0;
};

struct Project {
  std::uint64_t id = 0;
  std::uint64_t account = 0;
  std::string name;
  std::string address_sent;
  std::string street, house_number, postcode, town, country;
  double lon_deg = 0, lat_deg = 0;
  double consumption_kwh = 0;  ///< of the last request
  std::string load_profile;    ///< of the last request
  std::int64_t created_ms = 0;
};

enum class RunState { waiting, running, finished, failed };

struct Run {
  std::uint64_t id = 0;  ///< grows with every run and so gives the order in line
  std::uint64_t project = 0;
  std::uint64_t account = 0;
  RunState state = RunState::waiting;
  std::string step;
  int steps_done = 0;
  int steps_total = 0;
  std::string failure_code;  ///< the contract's, when failed
  std::string failure_text;
  std::int64_t queued_ms = 0, started_ms = 0, ended_ms = 0;
  double consumption_kwh = 0;
  std::string load_profile;
  std::uint64_t scene_bytes = 0;  ///< size of the data its pictures are drawn from; 0: none can be drawn
  std::string request_id;         ///< X-Request-Id of the request that started it
  std::string failure_reason;     ///< for operators, when failed: one English sentence
  double design_kwp = 0;          ///< of the result's recommended installation; 0: not known
  double design_kwh = 0;          ///< a year
};

/// What was made from a project when its owner saved it.
struct SavedMedia {
  std::int64_t saved_ms = 0;
  std::uint64_t model_bytes = 0;
  std::uint64_t orthophoto_bytes = 0;  ///< 0: no aerial image shows the property
  std::string attribution;
};

/// The requests that a limit counts.
struct Window {
  std::vector<std::int64_t> times_ms;  ///< oldest first
};

std::string encode(const Account&);
std::string encode(const Key&);
std::string encode(const Project&);
std::string encode(const Run&);
std::string encode(const SavedMedia&);
std::string encode(const Window&);
std::string encode(const KeyUse&);
std::string encode(const Credentials&);
std::string encode(const Session&);
std::string encode(const Passkey&);
std::string encode(const MailToken&);
std::string encode(const OutgoingMail&);

std::optional<Account> decode_account(const std::string& bytes);
std::optional<Key> decode_key(const std::string& bytes);
std::optional<Project> decode_project(const std::string& bytes);
std::optional<Run> decode_run(const std::string& bytes);
std::optional<SavedMedia> decode_saved_media(const std::string& bytes);
std::optional<Window> decode_window(const std::string& bytes);
std::optional<KeyUse> decode_key_use(const std::string& bytes);
std::optional<Credentials> decode_credentials(const std::string& bytes);
std::optional<Session> decode_session(const std::string& bytes);
std::optional<Passkey> decode_passkey(const std::string& bytes);
std::optional<MailToken> decode_mail_token(const std::string& bytes);
std::optional<OutgoingMail> decode_outgoing_mail(const std::string& bytes);

}  // namespace persistence
