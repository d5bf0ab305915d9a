// The actors' interfaces, on one page. A request is ONE message (Call); it travels from the address
// guard to the account and from there, as Ticket and Command, to the project's shard, and one Answer comes
// back to whoever asked. What messages carry stands in values.hpp.
#pragma once
#include <caf/fwd.hpp>
#include <caf/replies_to.hpp>
#include <caf/type_id.hpp>
#include <caf/typed_actor.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "actors/serialisation.hpp"
#include "actors/sign_in/serialisation.hpp"
#include "actors/sign_in/values.hpp"
#include "actors/values.hpp"
#include "actors/workers/serialisation.hpp"
#include "actors/workers/values.hpp"
#include "geo/run_control.hpp"
#include "persistence/store.hpp"

namespace actors {

using flush_atom = caf::atom_constant<caf::atom("flush")>;
using start_atom = caf::atom_constant<caf::atom("start")>;
using cancel_atom = caf::atom_constant<caf::atom("cancel")>;
using release_atom = caf::atom_constant<caf::atom("release")>;
using leave_atom = caf::atom_constant<caf::atom("leave")>;
using ended_atom = caf::atom_constant<caf::atom("ended")>;
using overdue_atom = caf::atom_constant<caf::atom("overdue")>;
using late_atom = caf::atom_constant<caf::atom("late")>;  // from an actor to itself: see OpenRequests
using sweep_atom = caf::atom_constant<caf::atom("sweep")>;
using room_atom = caf::atom_constant<caf::atom("room")>;
using drain_atom = caf::atom_constant<caf::atom("drain")>;
using save_atom = caf::atom_constant<caf::atom("save")>;
using next_atom = caf::atom_constant<caf::atom("next")>;
using forget_atom = caf::atom_constant<caf::atom("forget")>;
using erase_atom = caf::atom_constant<caf::atom("erase")>;
using known_atom = caf::atom_constant<caf::atom("known")>;
using return_atom = caf::atom_constant<caf::atom("return")>;
using beat_atom = caf::atom_constant<caf::atom("beat")>;

/// The one writer: everything in its mailbox goes into ONE batch with ONE sync, then all are acknowledged.
using Journal = caf::typed_actor<
    // All of the writes or none; true when they are on disk, false when the disk refuses.
    caf::replies_to<persistence::Writes>::with<bool>,
    // Commits what has gathered.
    caf::reacts_to<flush_atom>>;

/// Turns an address text into a house. Detached: it may block on files or on a service.
using Geocoder = caf::typed_actor<
    // The address; the time (ms since 1970) after which nobody waits for the answer and it is not looked up
    // any more; the account that asks. Accounts take turns.
    caf::replies_to<std::string, std::int64_t, std::uint64_t>::with<Located>,
    // From itself: look up the next question in the line.
    caf::reacts_to<next_atom>>;

/// One thread that draws: reads a result and its scene, or a saved file, from the store. Detached and of low
/// priority: drawing must not delay other answers.
using Renderer = caf::typed_actor<caf::replies_to<RenderOrder>::with<Rendered>>;

/// All renderers behind one address, with a bounded line of orders and a bounded cache of results. Equal
/// orders share one result, also while it is being drawn. A full line answers dienst_ueberlastet.
using Renderers = caf::typed_actor<
    // A picture or a file for the client who holds the ticket.
    caf::replies_to<Ticket, RenderOrder>::with<Answer>,
    // The same bytes for the project's shard.
    caf::replies_to<RenderOrder>::with<Rendered>>;

/// A shard of all projects, by account: (account, address) -> project, its run's state, its result.
using Projects = caf::typed_actor<
    // One request of an account that has been let in.
    caf::replies_to<Ticket, Command>::with<Answer>,
    // Makes and stores the project's model and orthophoto; the reply's text says what there is now.
    caf::replies_to<SaveProject>::with<AdminReply>,
    // An operator's order about a damaged result.
    caf::replies_to<QuarantineResult>::with<AdminReply>, caf::replies_to<GiveUpLost>::with<AdminReply>,
    // Erases what was moved aside.
    caf::replies_to<DiscardAside>::with<AdminReply>,
    // Erases all that a closed account has.
    caf::replies_to<EraseProjects>::with<AdminReply>,
    // The run has a slot: let it compute.
    caf::reacts_to<start_atom, RunRef>,
    // The computation has come a step further.
    caf::reacts_to<StepDone>,
    // The computation is over.
    caf::reacts_to<RunOutcome>,
    // The computation's thread has ended, with or without an outcome; the number is its computing time in ms.
    caf::reacts_to<ended_atom, RunRef, std::int64_t>,
    // The run has reached its deadline.
    caf::reacts_to<overdue_atom, RunRef>,
    // Removes results older than the retention, and repeats that every minute.
    caf::reacts_to<sweep_atom>,
    // From itself: some of its requests may be overdue.
    caf::reacts_to<late_atom>>;

/// Hands out the analysis slots: no more than `analysis.slots` runs hold one at once.
using SlotScheduler = caf::typed_actor<
    // Stand in line, or ask again while waiting: sets the waiting time in the given answer and returns it.
    // The second argument is the shard of the run; it is told when the run's turn has come.
    caf::replies_to<RunRef, Projects, Answer>::with<Answer>,
    // The same when no client waits for an answer.
    caf::reacts_to<RunRef, Projects>,
    // How many more runs the line takes.
    caf::replies_to<room_atom>::with<std::uint32_t>,
    // The run's thread has ended and its end is on disk; the number is its computing time in ms.
    caf::reacts_to<release_atom, RunRef, std::int64_t>,
    // The run's project is gone: the run does not wait any more.
    caf::reacts_to<leave_atom, RunRef>,
    // Hand out nothing more: the program is about to end.
    caf::reacts_to<drain_atom>>;

/// May be cancelled by another thread than the one that computes.
using RunControlPtr = std::shared_ptr<geo::RunControl>;

/// Who hears of a run: its project's shard, or whoever stands between the two.
using RunOwner = caf::typed_actor<
    // As in Projects.
    caf::reacts_to<StepDone>, caf::reacts_to<RunOutcome>, caf::reacts_to<ended_atom, RunRef, std::int64_t>>;

/// One thread that computes. Detached and of low priority. Steps and the outcome are sent to the run's owner;
/// the reply says that the thread is free again.
using Analyst = caf::typed_actor<caf::replies_to<AnalysisJob, RunOwner, RunControlPtr>::with<ended_atom>>;

/// All analysts behind one address.
using Analysts = caf::typed_actor<
    // Compute; steps, outcome and end are sent to the run's owner.
    caf::reacts_to<AnalysisJob, RunOwner>,
    // Stop computing this run as soon as possible.
    caf::reacts_to<cancel_atom, RunRef>,
    // Stop all of them.
    caf::reacts_to<cancel_atom>,
    // How many are computing now.
    caf::replies_to<drain_atom>::with<std::uint64_t>>;

/// The analysts' own side.
using AnalystsDesk = Analysts::extend<
    // From itself: has the run stopped that was cancelled a while ago?
    caf::reacts_to<late_atom, RunRef>>;

/// A process that computes for another one, the home. It leads: it connects, and says that it is there.
using Worker = caf::typed_actor<
    // Compute, if this is still your session.
    caf::reacts_to<std::uint64_t, AnalysisJob>,
    // Stop computing this run as soon as possible.
    caf::reacts_to<cancel_atom, RunRef>>;

/// What the home is to its workers. The number is the worker's session.
using WorkersHome = caf::typed_actor<
    // May I compute for you?
    caf::replies_to<WorkerFacts, Worker>::with<WorkerWelcome>,
    // Am I still known? Yes lets the worker compute for kSilence from when it has asked.
    caf::replies_to<known_atom, std::uint64_t>::with<bool>,
    // As in RunOwner; of a large outcome what has not come in pieces.
    caf::reacts_to<std::uint64_t, StepDone>, caf::reacts_to<std::uint64_t, RunOutcome>,
    // False: the home does not take it.
    caf::replies_to<std::uint64_t, OutcomePiece>::with<bool>,
    caf::reacts_to<std::uint64_t, ended_atom, RunRef, std::int64_t>,
    // The worker has stopped this run because it must end.
    caf::reacts_to<std::uint64_t, return_atom, RunRef>,
    // Give me nothing more.
    caf::reacts_to<std::uint64_t, leave_atom>>;

/// Analysts here and on workers behind one address.
using WorkersPool = caf::typed_actor<
    caf::reacts_to<AnalysisJob, RunOwner>, caf::reacts_to<cancel_atom, RunRef>, caf::reacts_to<cancel_atom>,
    caf::replies_to<drain_atom>::with<std::uint64_t>,  // as Analysts
    caf::reacts_to<StepDone>, caf::reacts_to<RunOutcome>,
    caf::reacts_to<ended_atom, RunRef, std::int64_t>,  // from the analysts here
    caf::replies_to<WorkerFacts, Worker>::with<WorkerWelcome>,
    caf::replies_to<known_atom, std::uint64_t>::with<bool>, caf::reacts_to<std::uint64_t, StepDone>,
    caf::reacts_to<std::uint64_t, RunOutcome>, caf::replies_to<std::uint64_t, OutcomePiece>::with<bool>,
    caf::reacts_to<std::uint64_t, ended_atom, RunRef, std::int64_t>,
    caf::reacts_to<std::uint64_t, return_atom, RunRef>,
    caf::reacts_to<std::uint64_t, leave_atom>,  // as WorkersHome
    // From itself, every half second: who is silent, and which runs must have stopped.
    caf::reacts_to<beat_atom>>;

/// The worker's own side: what it takes from the home, and from the analysts beside it.
using WorkerProcess = caf::typed_actor<
    caf::reacts_to<std::uint64_t, AnalysisJob>, caf::reacts_to<cancel_atom, RunRef>,  // as Worker
    caf::reacts_to<StepDone>, caf::reacts_to<RunOutcome>,
    caf::reacts_to<ended_atom, RunRef, std::int64_t>,  // as RunOwner
    // It is about to end: take nothing more.
    caf::reacts_to<leave_atom>,
    // Give back what is not finished.
    caf::reacts_to<cancel_atom>,
    // What the home has not heard yet: the runs' ends, and after them that this worker leaves.
    caf::replies_to<drain_atom>::with<std::uint64_t>,
    // From itself: tell the home of the latest steps; look for a home; be there.
    caf::reacts_to<flush_atom>, caf::reacts_to<next_atom>, caf::reacts_to<beat_atom>>;

/// Finds a home and connects. Detached: it waits for the network. Without one the handle is null, and the
/// text says why.
using HomeFinder = caf::typed_actor<caf::replies_to<next_atom>::with<WorkersHome, std::string>>;

/// A shard of the accounts, by account id: keys, limits, plan and expiry.
using Accounts = caf::typed_actor<
    // Checks the key, counts the request and hands it to the project's shard, which answers.
    caf::replies_to<Call>::with<Answer>,
    // The same for somebody who is signed in: the session stands for the key.
    caf::replies_to<MemberCall>::with<Answer>,
    // Makes a key; the reply's text is the key, which nobody can read again.
    caf::replies_to<AddKey>::with<AdminReply>,
    // When the reply has come, no request with that key is let in any more.
    caf::replies_to<RevokeKey>::with<AdminReply>,
    // Makes a key in the place of another; the reply's text is the new key.
    caf::replies_to<ReplaceKey>::with<AdminReply>, caf::replies_to<ListKeys>::with<KeyList>,
    caf::replies_to<ReadUsage>::with<Usage>,
    // The account's record has changed on disk: true when it is read anew from now on.
    caf::replies_to<forget_atom, std::uint64_t>::with<bool>,
    // Writes the counts that have changed; true when they are on disk.
    caf::replies_to<save_atom>::with<bool>,
    // From itself: some of its requests may be overdue.
    caf::reacts_to<late_atom>>;

/// One thread that hashes and checks passwords. Detached: each takes a tenth of a second.
using Passwords = caf::typed_actor<caf::replies_to<HashPassword>::with<PasswordVerdict>,
                                   caf::replies_to<CheckPassword>::with<PasswordVerdict>>;

/// Sends the mails of the outbox. Detached: it waits for mail servers.
using Mailer = caf::typed_actor<
    // There may be a mail to send.
    caf::reacts_to<next_atom>>;

/// Who has an account and who is signed in. The one writer of accounts' records, e-mail addresses,
/// credentials and sessions.
using Members = caf::typed_actor<
    // A deed of a person; the answer is on disk.
    caf::replies_to<MemberOrder>::with<MemberReply>,
    // Who is behind a browser's session.
    caf::replies_to<ReadSession>::with<SessionState>, caf::replies_to<ListSessions>::with<SessionList>,
    caf::replies_to<ReadMailLink>::with<MailLink>,
    caf::replies_to<AskPasskeyChallenge>::with<PasskeyChallenge>,
    caf::replies_to<ListPasskeys>::with<PasskeyList>,
    // Makes an account; the reply's text is its id.
    caf::replies_to<AddAccount>::with<AdminReply>, caf::replies_to<GrantAccount>::with<AdminReply>,
    // From itself: erases what a closed account has left.
    caf::reacts_to<erase_atom, std::uint64_t>,
    // Removes what has expired, and repeats that every hour.
    caf::reacts_to<sweep_atom>,
    // From itself: some of its requests may be overdue.
    caf::reacts_to<late_atom>>;

/// A shard of the calling addresses: the application-wide limits. It comes before the accounts, so that a
/// flood from one address costs them nothing.
using AddressGuard = caf::typed_actor<
    // Counts the request against its address and hands it to the account's shard; answers a visit itself.
    caf::replies_to<Call>::with<Answer>,
    // Writes the counts that have changed; true when they are on disk.
    caf::replies_to<save_atom>::with<bool>,
    // Forgets windows that have run out, and repeats that every ten minutes.
    caf::reacts_to<sweep_atom>>;

}  // namespace actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(actors::RunControlPtr)

CAF_BEGIN_TYPE_ID_BLOCK(roof, first_custom_type_id)
CAF_ADD_TYPE_ID(roof, (actors::Refusal))
CAF_ADD_TYPE_ID(roof, (actors::CreateProject))
CAF_ADD_TYPE_ID(roof, (actors::SingleCall))
CAF_ADD_TYPE_ID(roof, (actors::QueryAnalysis))
CAF_ADD_TYPE_ID(roof, (actors::RestartAnalysis))
CAF_ADD_TYPE_ID(roof, (actors::ListProjects))
CAF_ADD_TYPE_ID(roof, (actors::QueryMedia))
CAF_ADD_TYPE_ID(roof, (actors::Visit))
CAF_ADD_TYPE_ID(roof, (actors::Welcome))
CAF_ADD_TYPE_ID(roof, (actors::Allowance))
CAF_ADD_TYPE_ID(roof, (actors::AddressAllowances))
CAF_ADD_TYPE_ID(roof, (actors::Call))
CAF_ADD_TYPE_ID(roof, (actors::Command))
CAF_ADD_TYPE_ID(roof, (actors::Ticket))
CAF_ADD_TYPE_ID(roof, (actors::Created))
CAF_ADD_TYPE_ID(roof, (actors::Running))
CAF_ADD_TYPE_ID(roof, (actors::Finished))
CAF_ADD_TYPE_ID(roof, (actors::ProjectLine))
CAF_ADD_TYPE_ID(roof, (actors::ProjectPage))
CAF_ADD_TYPE_ID(roof, (actors::MediaList))
CAF_ADD_TYPE_ID(roof, (actors::Medium))
CAF_ADD_TYPE_ID(roof, (actors::Answer))
CAF_ADD_TYPE_ID(roof, (actors::RunRef))
CAF_ADD_TYPE_ID(roof, (actors::AnalysisJob))
CAF_ADD_TYPE_ID(roof, (actors::StepDone))
CAF_ADD_TYPE_ID(roof, (actors::RunOutcome))
CAF_ADD_TYPE_ID(roof, (actors::Located))
CAF_ADD_TYPE_ID(roof, (actors::AddAccount))
CAF_ADD_TYPE_ID(roof, (actors::AddKey))
CAF_ADD_TYPE_ID(roof, (actors::AdminReply))
CAF_ADD_TYPE_ID(roof, (actors::RenderOrder))
CAF_ADD_TYPE_ID(roof, (actors::Rendered))
CAF_ADD_TYPE_ID(roof, (actors::SaveProject))
CAF_ADD_TYPE_ID(roof, (actors::QuarantineResult))
CAF_ADD_TYPE_ID(roof, (actors::GiveUpLost))
CAF_ADD_TYPE_ID(roof, (actors::RevokeKey))
CAF_ADD_TYPE_ID(roof, (actors::DiscardAside))
CAF_ADD_TYPE_ID(roof, (actors::EraseProjects))
CAF_ADD_TYPE_ID(roof, (actors::ReadProject))
CAF_ADD_TYPE_ID(roof, (actors::ReadAnalysis))
CAF_ADD_TYPE_ID(roof, (actors::RenameProject))
CAF_ADD_TYPE_ID(roof, (actors::StoreMedia))
CAF_ADD_TYPE_ID(roof, (actors::DeleteProject))
CAF_ADD_TYPE_ID(roof, (actors::ProjectRecord))
CAF_ADD_TYPE_ID(roof, (actors::StoredAnalysis))
CAF_ADD_TYPE_ID(roof, (actors::Done))
CAF_ADD_TYPE_ID(roof, (actors::MemberOrder))
CAF_ADD_TYPE_ID(roof, (actors::MemberReply))
CAF_ADD_TYPE_ID(roof, (actors::ReadSession))
CAF_ADD_TYPE_ID(roof, (actors::SessionState))
CAF_ADD_TYPE_ID(roof, (actors::ListSessions))
CAF_ADD_TYPE_ID(roof, (actors::ReadMailLink))
CAF_ADD_TYPE_ID(roof, (actors::MailLink))
CAF_ADD_TYPE_ID(roof, (actors::SessionList))
CAF_ADD_TYPE_ID(roof, (actors::AskPasskeyChallenge))
CAF_ADD_TYPE_ID(roof, (actors::PasskeyChallenge))
CAF_ADD_TYPE_ID(roof, (actors::ListPasskeys))
CAF_ADD_TYPE_ID(roof, (actors::PasskeyList))
CAF_ADD_TYPE_ID(roof, (actors::HashPassword))
CAF_ADD_TYPE_ID(roof, (actors::CheckPassword))
CAF_ADD_TYPE_ID(roof, (actors::PasswordVerdict))
CAF_ADD_TYPE_ID(roof, (actors::MemberCall))
CAF_ADD_TYPE_ID(roof, (actors::ListKeys))
CAF_ADD_TYPE_ID(roof, (actors::KeyList))
CAF_ADD_TYPE_ID(roof, (actors::ReplaceKey))
CAF_ADD_TYPE_ID(roof, (actors::ReadUsage))
CAF_ADD_TYPE_ID(roof, (actors::Usage))
CAF_ADD_TYPE_ID(roof, (actors::GrantAccount))
CAF_ADD_TYPE_ID(roof, (persistence::Write))
CAF_ADD_TYPE_ID(roof, (persistence::Writes))
CAF_ADD_TYPE_ID(roof, (actors::Projects))
CAF_ADD_TYPE_ID(roof, (actors::RunOwner))
CAF_ADD_TYPE_ID(roof, (actors::WorkerFacts))
CAF_ADD_TYPE_ID(roof, (actors::WorkerWelcome))
CAF_ADD_TYPE_ID(roof, (actors::Worker))
CAF_ADD_TYPE_ID(roof, (actors::WorkersHome))
CAF_ADD_TYPE_ID(roof, (actors::OutcomePiece))
CAF_END_TYPE_ID_BLOCK(roof)
