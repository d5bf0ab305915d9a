// The fields of the web application's messages.
#pragma once
#include "actors/inspect.hpp"
#include "actors/serialisation.hpp"
#include "actors/sign_in/values.hpp"

namespace actors {

ACTORS_INSPECT(SignUp, x.email, x.password, x.from)
ACTORS_INSPECT(ConfirmSignUp, x.token, x.password, x.from, x.browser)
ACTORS_INSPECT(SignIn, x.email, x.password, x.from, x.browser, x.only_today)
ACTORS_INSPECT(AskForNewPassword, x.email, x.from)
ACTORS_INSPECT(SetNewPassword, x.token, x.password, x.browser)
ACTORS_INSPECT(ConfirmEmail, x.token)
ACTORS_INSPECT(EndSessions, x.account, x.fingerprint, x.others)
ACTORS_INSPECT(ChangePassword, x.account, x.password, x.new_password, x.session)
ACTORS_INSPECT(ChangeEmail, x.account, x.password, x.email)
ACTORS_INSPECT(CloseAccount, x.account, x.password)
ACTORS_INSPECT(SignInWithPasskey, x.challenge, x.user_handle, x.credential_id, x.client_data_json,
               x.authenticator_data, x.signature, x.from, x.browser, x.only_today)
ACTORS_INSPECT(AddPasskey, x.account, x.password, x.name, x.challenge, x.client_data_json,
               x.authenticator_data, x.public_key_spki)
ACTORS_INSPECT(RemovePasskey, x.account, x.fingerprint)
ACTORS_INSPECT(AskPasskeyChallenge, x.account)
ACTORS_INSPECT(PasskeyChallenge, x.readable, x.challenge, x.relying_party_id, x.user_handle, x.known)
ACTORS_INSPECT(ListPasskeys, x.account)
ACTORS_INSPECT(PasskeyLine, x.fingerprint, x.name, x.created_ms, x.used_ms)
ACTORS_INSPECT(PasskeyList, x.readable, x.passkeys)
ACTORS_INSPECT(MemberReply, x.fault, x.password, x.retry_after_s, x.session, x.lifetime_s)
ACTORS_INSPECT(ReadSession, x.id)
ACTORS_INSPECT(Person, x.account, x.email, x.plan, x.created_ms, x.expires_ms)
ACTORS_INSPECT(SessionState, x.readable, x.signed_in, x.person, x.fingerprint, x.signed_in_ms)
ACTORS_INSPECT(ReadMailLink, x.token)
ACTORS_INSPECT(MailLink, x.readable, x.valid, x.sign_up, x.new_password, x.new_email, x.email)
ACTORS_INSPECT(ListSessions, x.account)
ACTORS_INSPECT(SessionLine, x.fingerprint, x.browser, x.signed_in_ms, x.used_ms)
ACTORS_INSPECT(SessionList, x.readable, x.sessions)
ACTORS_INSPECT(HashPassword, x.password)
ACTORS_INSPECT(CheckPassword, x.password, x.hash)
ACTORS_INSPECT(PasswordVerdict, x.matches, x.hash)
ACTORS_INSPECT(MemberCall, x.account, x.counted, x.limit, x.command)
ACTORS_INSPECT(ListKeys, x.account)
ACTORS_INSPECT(KeyLine, x.id, x.name, x.ending, x.created_ms, x.last_used_ms, x.revoked_ms, x.in_force,
               x.requests)
ACTORS_INSPECT(KeyList, x.readable, x.keys)
ACTORS_INSPECT(ReplaceKey, x.account, x.key_id, x.overlap_s)
ACTORS_INSPECT(ReadUsage, x.account)
ACTORS_INSPECT(Usage, x.readable, x.limits, x.requests)
ACTORS_INSPECT(GrantAccount, x.account, x.email)

}  // namespace actors
