// What the web application asks the actors for: signing up and in, sessions, the account, its keys.
#pragma once
#include <caf/variant.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "actors/sign_in/password.hpp"
#include "actors/values.hpp"

namespace actors {

// ---- a person at the door -------------------------------------------------------------------------------

/// Asks for an account. Whoever owns the e-mail address gets a mail, and nothing else happens.
struct SignUp {
  std::string email, password;
  std::string from;  ///< the calling address, as in Call
};
/// The link of that mail was opened and the password of the sign-up given again: the account is made and
/// signed in. Only the owner of the mailbox has the link, and only who signed up has the password; so nobody
/// gets an account that a stranger has prepared for them.
struct ConfirmSignUp {
  std::string token, password;
  std::string from, browser;  ///< as in SignIn
};
struct SignIn {
  std::string email, password, from;
  std::string browser;      ///< User-Agent, to tell the own sessions apart
  bool only_today = false;  ///< the session ends after twelve hours
};
/// Signs in with a passkey. All but the last three are bytes as the browser gave them.
struct SignInWithPasskey {
  std::string challenge;    ///< of a PasskeyChallenge
  std::string user_handle;  ///< PasskeyChallenge::user_handle of when it was made
  std::string credential_id, client_data_json, authenticator_data, signature;
  std::string from, browser;  ///< as in SignIn
  bool only_today = false;
};
/// Asks for a mail with a link to set a new password.
struct AskForNewPassword {
  std::string email, from;
};
/// Sets it; all sessions end and a new one begins.
struct SetNewPassword {
  std::string token, password, browser;
};
struct ConfirmEmail {
  std::string token;
};

// ---- a person who is signed in --------------------------------------------------------------------------

/// Ends one session (`fingerprint`), or all but that one (`others`).
struct EndSessions {
  std::uint64_t account = 0;
  std::string fingerprint;
  bool others = false;
};
/// All sessions but `session` end.
struct ChangePassword {
  std::uint64_t account = 0;
  std::string password, new_password;
  std::string session;  ///< fingerprint
};
/// Asks for a mail to the new address, whose link makes it the account's.
struct ChangeEmail {
  std::uint64_t account = 0;
  std::string password, email;
};
/// Stores a passkey that the browser has made. The owner is told by mail.
struct AddPasskey {
  std::uint64_t account = 0;
  std::string password;
  std::string name;                                                              ///< its owner's
  std::string challenge, client_data_json, authenticator_data, public_key_spki;  ///< bytes
};
struct RemovePasskey {
  std::uint64_t account = 0;
  std::string fingerprint;
};
/// Closes the account at once and for good, and erases its data.
struct CloseAccount {
  std::uint64_t account = 0;
  std::string password;
};

using MemberOrder =
    caf::variant<SignUp, ConfirmSignUp, SignIn, AskForNewPassword, SetNewPassword, ConfirmEmail, EndSessions,
                 ChangePassword, ChangeEmail, CloseAccount, SignInWithPasskey, AddPasskey, RemovePasskey>;

enum class MemberFault : std::uint8_t {
  none,
  not_open,        ///< no new accounts are taken
  no_email,        ///< the text is no e-mail address
  unfit_password,  ///< see MemberReply::password
  wrong,           ///< not the password, or not the passkey, of that account or sign-up
  dead_link,       ///< unknown, used, too old, or what it was sent for has happened otherwise
  unfit_passkey,   ///< not made by this question, of another kind, too late, or there already
  too_many,        ///< come again after `retry_after_s`
  busy,            ///< come again in a moment: the account or link is in use, or too many passwords wait
  disk,            ///< nothing was stored
  unknown_yet,     ///< the disk has not answered in time
};

struct MemberReply {
  MemberFault fault = MemberFault::none;
  PasswordFault password = PasswordFault::too_short;  ///< of unfit_password
  std::uint32_t retry_after_s = 0;
  std::string session;  ///< the id of a session that has begun; for the cookie alone
  std::int64_t lifetime_s = 0;
};

/// Who is behind a session's id.
struct ReadSession {
  std::string id;
};
struct Person {
  std::uint64_t account = 0;
  std::string email, plan;
  std::int64_t created_ms = 0, expires_ms = 0;
};
struct SessionState {
  bool readable = true;  ///< false: the disk does not answer
  bool signed_in = false;
  Person person;
  std::string fingerprint;
  std::int64_t signed_in_ms = 0;
};

/// Looks at a mail's link without using it up.
struct ReadMailLink {
  std::string token;
};
struct MailLink {
  bool readable = true;
  bool valid = false;
  bool sign_up = false, new_password = false, new_email = false;  ///< what for
  std::string email;
};

struct ListSessions {
  std::uint64_t account = 0;
};
struct SessionLine {
  std::string fingerprint, browser;
  std::int64_t signed_in_ms = 0, used_ms = 0;
};
struct SessionList {
  bool readable = true;
  std::vector<SessionLine> sessions;  ///< the last used first
};

/// What a browser needs to make (`account`) or to use (0) a passkey.
struct AskPasskeyChallenge {
  std::uint64_t account = 0;
};
struct PasskeyChallenge {
  bool readable = true;
  std::string challenge;           ///< bytes, good once and for some minutes
  std::string relying_party_id;    ///< empty: the pages' address allows no passkeys
  std::string user_handle;         ///< whose it will be
  std::vector<std::string> known;  ///< ids of the credentials that the account has
};

struct ListPasskeys {
  std::uint64_t account = 0;
};
struct PasskeyLine {
  std::string fingerprint, name;
  std::int64_t created_ms = 0, used_ms = 0;  ///< 0: not used yet
};
struct PasskeyList {
  bool readable = true;
  std::vector<PasskeyLine> passkeys;  ///< the newest first
};

// ---- passwords ------------------------------------------------------------------------------------------

struct HashPassword {
  std::string password;
};
/// `hash` empty: nobody has that e-mail address. The check then takes as long as a real one, and fails.
struct CheckPassword {
  std::string password, hash;
};
struct PasswordVerdict {
  bool matches = false;
  std::string hash;  ///< of HashPassword; of CheckPassword when the stored one should be replaced
};

// ---- the account's keys and use -------------------------------------------------------------------------

/// A request of a person who is signed in: like a Call, but the session stands for the key.
struct MemberCall {
  std::uint64_t account = 0;
  bool counted = false;  ///< against the account's limit `limit`; pages that only show are not
  LimitClass limit = LimitClass::create;
  Command command;
};

struct ListKeys {
  std::uint64_t account = 0;
};
struct KeyLine {
  std::string id, name, ending;
  std::int64_t created_ms = 0, last_used_ms = 0, revoked_ms = 0;
  bool in_force = true;
  std::uint32_t requests = 0;  ///< in the last thirty days
};
struct KeyList {
  bool readable = true;
  std::vector<KeyLine> keys;  ///< the newest first
};
/// Makes a key of the same name; the old one stays in force for `overlap_s` and cannot be replaced again. The
/// reply's text is the key.
struct ReplaceKey {
  std::uint64_t account = 0;
  std::string key_id;
  std::int64_t overlap_s = 0;
};

struct ReadUsage {
  std::uint64_t account = 0;
};
inline constexpr int kUsageDays = 30;
struct Usage {
  bool readable = true;
  std::vector<Allowance> limits;        ///< by LimitClass
  std::vector<std::uint32_t> requests;  ///< of all keys, of the last kUsageDays days; the last is today (UTC)
};

/// An operator's order: from now on a regular account without an end. The reply's text is a sentence.
struct GrantAccount {
  std::uint64_t account = 0;  ///< 0: the one with the e-mail address
  std::string email = {};
};

}  // namespace actors
