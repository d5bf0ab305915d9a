// The vocabulary: every message and every actor's interface, on one page. A request is ONE message (Call); it
// travels from the accounts to the project's shard, and one Answer comes back to whoever asked. All of them
// are values that CAF can serialise, so that actors may live on other nodes.
#pragma once
#include <caf/fwd.hpp>
#include <caf/meta/type_name.hpp>
#include <caf/replies_to.hpp>
#include <caf/type_id.hpp>
#include <caf/typed_actor.hpp>
#include <caf/variant.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "actors/refusal.hpp"
#include "persistence/store.hpp"

namespace actors {

// ---- what a client asks for -------------------------------------------------------------------------------

/// Consumption in kWh a year; the profile is one of the contract's codes. Both are checked before they get
/// here.
struct CreateProject {
  std::string name;
  std::string address;
  double consumption_kwh = 0;
  std::string load_profile;
};

/// GET /analyse: creates the project when there is none at the address, and tells its state.
struct SingleCall {
  CreateProject project;  ///< an empty name means: the resolved address
};

struct QueryAnalysis {
  std::uint64_t project = 0;
};

/// What is not sent again is taken from the last request: consumption 0 and an empty profile.
struct RestartAnalysis {
  std::uint64_t project = 0;
  double consumption_kwh = 0;
  std::string load_profile;
};

/// The `limit` newest projects with an id below `before` (0: from the newest).
struct ListProjects {
  int limit = 100;
  std::uint64_t before = 0;
};

enum class MediaKind : std::uint8_t { listing, surface_image, overview_image, orthophoto, model };

/// One of a project's media, or the list of them.
struct QueryMedia {
  std::uint64_t project = 0;
  MediaKind kind = MediaKind::listing;
  int surface = 0;   ///< of a surface image; 0 is the number of none
  bool png = false;  ///< of an image; false: SVG
  int width_px = 0;  ///< of an image
};

/// A request that needs no key: a public page.
struct Visit {};

/// A Refusal is a request whose form did not pass: its key is checked and it counts like any other, then that
/// refusal is the answer.
using Command = caf::variant<CreateProject, SingleCall, QueryAnalysis, RestartAnalysis, ListProjects,
                             QueryMedia, Visit, Refusal>;

/// Which of the account's limits a request counts against.
enum class LimitClass : std::uint8_t { create, status, analyse, media };
inline constexpr std::size_t kLimitClasses = 4;

/// How one of the calling address's limits stands after a request.
struct Allowance {
  std::uint32_t limit = 0;  ///< 0: off
  std::uint32_t remaining = 0;
  std::uint32_t reset_s = 0;  ///< until the oldest counted request leaves the window
};
struct AddressAllowances {
  Allowance hour, day;
};

struct Call {
  std::string key;   ///< as the client sent it; empty: none
  std::string from;  ///< the calling address: IPv4, or an IPv6 network of 64 bits
  LimitClass limit = LimitClass::status;
  Command command;
  AddressAllowances address;  ///< filled in by the address guard
};

/// What the accounts found out about a caller, for the project's shard.
struct Ticket {
  std::uint64_t account = 0;
  bool single_project = false;  ///< a test account: one project and no more
  std::uint32_t limit = 0;      ///< of the limit class that the request counted against; 0: off
  std::uint32_t remaining = 0;
  std::uint32_t reset_s = 0;
  AddressAllowances address;
};

// ---- what comes back
// ----------------------------------------------------------------------------------------

/// The project was stored and its run stands in line.
struct Created {
  std::uint64_t project = 0;
  std::string name;
  std::string address;
  double lat_deg = 0, lon_deg = 0;
  int retry_s = 0;
};

struct Running {
  std::uint64_t project = 0;
  bool waiting = false;
  std::string step;
  int steps_done = 0;
  int steps_total = 0;
  int retry_s = 0;
};

/// Text that is shared inside a process and copied to another node.
struct SharedText {
  std::shared_ptr<const std::string> text = std::make_shared<const std::string>();
  std::uint64_t tag = 0;  ///< a hash of the text, made once: equal texts have equal tags
};

struct Finished {
  std::uint64_t project = 0;
  SharedText body;  ///< the contract's Ergebnis, rendered once
};

struct ProjectLine {
  std::uint64_t project = 0;
  std::string name, street, postcode, town;
  double lat_deg = 0, lon_deg = 0;
};

struct ProjectPage {
  std::vector<ProjectLine> projects;
  bool more = false;
};

struct MediaItem {
  MediaKind kind = MediaKind::overview_image;
  int surface = 0;  ///< of a surface image
  bool available = false;
  Refusal refusal;               ///< what its address answers when it is not available
  std::uint64_t size_bytes = 0;  ///< 0: it is made when it is asked for
  std::string attribution;       ///< what must be named with it
};

/// How well the elevation model carries a surface: standard errors, and what they rest on.
struct SurfaceQuality {
  int surface = 0;
  double tilt_error_deg = 0, azimuth_error_deg = 0, area_error_m2 = 0, residual_m = 0;
  int cells = 0;
  double coverage_pct = 0;
};

/// A picture or a file, whole.
struct Medium {
  std::uint64_t project = 0;
  MediaKind kind = MediaKind::overview_image;
  int surface = 0;  ///< of a surface image
  bool png = false;
  SharedText body;
};

/// Without a stored result no surface is known, and no image is available.
struct MediaList {
  std::uint64_t project = 0;
  std::vector<MediaItem> media;
  std::vector<SurfaceQuality> surfaces;
};

/// A visit is let in.
struct Welcome {};

using Outcome = caf::variant<Refusal, Created, Running, Finished, ProjectPage, MediaList, Medium, Welcome>;

/// Every request gets exactly one. `ticket` says how the caller's limits stand (account 0: nobody's).
struct Answer {
  Ticket ticket;
  Outcome outcome;
};

// ---- runs
// -----------------------------------------------------------------------------------------------------

struct RunRef {
  std::uint64_t run = 0;  ///< grows with every run: the order of the line
  std::uint64_t account = 0;
  std::uint64_t project = 0;
};

/// Everything a computing node needs to know.
struct AnalysisJob {
  RunRef run;
  double lon_deg = 0, lat_deg = 0;
  double consumption_kwh = 0;
};

struct StepDone {
  RunRef run;
  std::string step;
  int done = 0;
  int total = 0;
};

/// How a computation ended: the result's bytes (persistence/result_codec.hpp), or a code.
struct RunOutcome {
  RunRef run;
  bool finished = false;
  std::string result;
  std::string scene;  ///< what its pictures are drawn from; empty: none can be drawn
  Code code = Code::analyse_fehlgeschlagen;
  std::string text;  ///< German, for the client; may be empty
};

// ---- pictures and files
// -----------------------------------------------------------------------------------------------------

/// What a renderer is to bring. Its fields are all that its bytes depend on: equal orders bring equal bytes.
struct RenderOrder {
  std::uint64_t account = 0;
  std::uint64_t project = 0;
  std::uint64_t version = 0;  ///< of what is drawn: the run; of a saved file: when it was saved, ms
  MediaKind kind = MediaKind::overview_image;
  bool anew = false;  ///< of model and orthophoto: make it of the result; false: bring what was saved
  int surface = 0;
  bool png = false;
  int width_px = 0;
};

struct Rendered {
  bool ok = false;
  Code code = Code::interner_fehler;  ///< why not
  SharedText body;
};

/// The project's owner has opened and saved it: its model and its orthophoto are made and stored. The web
/// application's message.
struct SaveProject {
  std::uint64_t account = 0;
  std::uint64_t project = 0;
};

// ---- addresses --------------------------------------------------------------------------------------------

struct Located {
  enum class Kind : std::uint8_t { house, ambiguous, unknown, unreachable, overloaded };
  Kind kind = Kind::unknown;
  std::string street, house_number, postcode, town, country;
  double lon_deg = 0, lat_deg = 0;
  std::vector<std::string> candidates;  ///< spellings that resolve, the likeliest first
};

// ---- administration
// -----------------------------------------------------------------------------------------

struct AddAccount {
  std::string email;
  std::string plan;  ///< "regular" or "test"
};
struct AddKey {
  std::uint64_t account = 0;
  std::string name;
};
/// Takes a key out of force, for good. The reply's text says what became of it.
struct RevokeKey {
  std::uint64_t account = 0;
  std::string key_id;  ///< as key_id() makes it of the fingerprint
};
/// Moves a project's damaged result aside, so that a new run may take its place. The reply's text says what
/// was moved.
struct QuarantineResult {
  std::uint64_t account = 0;
  std::uint64_t project = 0;
};
/// Erases all of a project's results that were moved aside. The reply's text says how many.
struct DiscardAside {
  std::uint64_t account = 0;
  std::uint64_t project = 0;
};
/// `text` is the account id or the key; when `ok` is false, one sentence of why not.
struct AdminReply {
  bool ok = false;
  std::string text;
};

// ---- serialisation (CAF 0.17)
// -------------------------------------------------------------------------------

#define ACTORS_INSPECT(Type, ...)                                  \
  template <class Inspector>                                       \
  typename Inspector::result_type inspect(Inspector& f, Type& x) { \
    return f(caf::meta::type_name(#Type), __VA_ARGS__);            \
  }
ACTORS_INSPECT(Refusal, x.code, x.text, x.found, x.existing, x.project, x.retry_after_s)
ACTORS_INSPECT(CreateProject, x.name, x.address, x.consumption_kwh, x.load_profile)
ACTORS_INSPECT(SingleCall, x.project)
ACTORS_INSPECT(QueryAnalysis, x.project)
ACTORS_INSPECT(RestartAnalysis, x.project, x.consumption_kwh, x.load_profile)
ACTORS_INSPECT(ListProjects, x.limit, x.before)
ACTORS_INSPECT(QueryMedia, x.project, x.kind, x.surface, x.png, x.width_px)
ACTORS_INSPECT(Allowance, x.limit, x.remaining, x.reset_s)
ACTORS_INSPECT(AddressAllowances, x.hour, x.day)
ACTORS_INSPECT(Call, x.key, x.from, x.limit, x.command, x.address)
ACTORS_INSPECT(Ticket, x.account, x.single_project, x.limit, x.remaining, x.reset_s, x.address)
ACTORS_INSPECT(Created, x.project, x.name, x.address, x.lat_deg, x.lon_deg, x.retry_s)
ACTORS_INSPECT(Running, x.project, x.waiting, x.step, x.steps_done, x.steps_total, x.retry_s)
ACTORS_INSPECT(Finished, x.project, x.body)
ACTORS_INSPECT(ProjectLine, x.project, x.name, x.street, x.postcode, x.town, x.lat_deg, x.lon_deg)
ACTORS_INSPECT(ProjectPage, x.projects, x.more)
ACTORS_INSPECT(MediaItem, x.kind, x.surface, x.available, x.refusal, x.size_bytes, x.attribution)
ACTORS_INSPECT(Medium, x.project, x.kind, x.surface, x.png, x.body)
ACTORS_INSPECT(RenderOrder, x.account, x.project, x.version, x.kind, x.anew, x.surface, x.png, x.width_px)
ACTORS_INSPECT(Rendered, x.ok, x.code, x.body)
ACTORS_INSPECT(SaveProject, x.account, x.project)
ACTORS_INSPECT(SurfaceQuality, x.surface, x.tilt_error_deg, x.azimuth_error_deg, x.area_error_m2,
               x.residual_m, x.cells, x.coverage_pct)
ACTORS_INSPECT(MediaList, x.project, x.media, x.surfaces)
ACTORS_INSPECT(Answer, x.ticket, x.outcome)
ACTORS_INSPECT(RunRef, x.run, x.account, x.project)
ACTORS_INSPECT(AnalysisJob, x.run, x.lon_deg, x.lat_deg, x.consumption_kwh)
ACTORS_INSPECT(StepDone, x.run, x.step, x.done, x.total)
ACTORS_INSPECT(RunOutcome, x.run, x.finished, x.result, x.scene, x.code, x.text)
ACTORS_INSPECT(Located, x.kind, x.street, x.house_number, x.postcode, x.town, x.country, x.lon_deg, x.lat_deg,
               x.candidates)
ACTORS_INSPECT(AddAccount, x.email, x.plan)
ACTORS_INSPECT(AddKey, x.account, x.name)
ACTORS_INSPECT(QuarantineResult, x.account, x.project)
ACTORS_INSPECT(RevokeKey, x.account, x.key_id)
ACTORS_INSPECT(DiscardAside, x.account, x.project)
ACTORS_INSPECT(AdminReply, x.ok, x.text)

template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, Visit&) {
  return f(caf::meta::type_name("Visit"));
}
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, Welcome&) {
  return f(caf::meta::type_name("Welcome"));
}

template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, SharedText& x) {
  // Writing the text of a value that is being read back goes to a fresh string; no one else holds it yet.
  if constexpr (!Inspector::reads_state) x.text = std::make_shared<const std::string>();
  return f(caf::meta::type_name("SharedText"), const_cast<std::string&>(*x.text), x.tag);
}

}  // namespace actors

namespace persistence {
ACTORS_INSPECT(Write, x.table, x.key, x.value, x.erase)
}
#undef ACTORS_INSPECT

namespace actors {

// ---- actors
// ---------------------------------------------------------------------------------------------------

using flush_atom = caf::atom_constant<caf::atom("flush")>;
using start_atom = caf::atom_constant<caf::atom("start")>;
using cancel_atom = caf::atom_constant<caf::atom("cancel")>;
using release_atom = caf::atom_constant<caf::atom("release")>;
using ended_atom = caf::atom_constant<caf::atom("ended")>;
using overdue_atom = caf::atom_constant<caf::atom("overdue")>;
using sweep_atom = caf::atom_constant<caf::atom("sweep")>;
using room_atom = caf::atom_constant<caf::atom("room")>;
using drain_atom = caf::atom_constant<caf::atom("drain")>;
using save_atom = caf::atom_constant<caf::atom("save")>;

/// The one writer: everything in its mailbox goes into ONE batch with ONE sync, then all are acknowledged.
using Journal = caf::typed_actor<
    // All of the writes or none; true when they are on disk, false when the disk refuses.
    caf::replies_to<persistence::Writes>::with<bool>,
    // Commits what has gathered.
    caf::reacts_to<flush_atom>>;

/// Turns an address text into a house. Detached: it may block on files or on a service.
using Geocoder = caf::typed_actor<
    // The text, and until when (ms since 1970) somebody waits for the answer; later it is not looked up.
    caf::replies_to<std::string, std::int64_t>::with<Located>>;

/// One thread that draws: reads a result and its scene, or a saved file, from the store. Detached, and of low
/// priority: whoever asks for a picture must not keep others from their answers.
using Renderer = caf::typed_actor<caf::replies_to<RenderOrder>::with<Rendered>>;

/// All renderers behind one address: a bounded line before them, and a bounded memory of what they brought.
/// Equal orders that come while the first is under way wait for it. A full line answers dienst_ueberlastet.
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
    caf::replies_to<QuarantineResult>::with<AdminReply>,
    // The end of what was moved aside.
    caf::replies_to<DiscardAside>::with<AdminReply>,
    // The run has a slot: let it compute.
    caf::reacts_to<start_atom, RunRef>,
    // The computation has come a step further.
    caf::reacts_to<StepDone>,
    // The computation is over.
    caf::reacts_to<RunOutcome>,
    // The computation's thread has ended, whatever it said before; the number is its computing time in ms.
    caf::reacts_to<ended_atom, RunRef, std::int64_t>,
    // The run has had its time.
    caf::reacts_to<overdue_atom, RunRef>,
    // Results that are older than the retention are removed, from now on every minute.
    caf::reacts_to<sweep_atom>>;

/// Hands out the analysis slots: no more than `analysis.slots` runs hold one at once.
using SlotScheduler = caf::typed_actor<
    // Stand in line, or ask again while waiting: fills the draft's waiting time and answers with it. The
    // second argument is where the run lives; it is told when its turn has come.
    caf::replies_to<RunRef, Projects, Answer>::with<Answer>,
    // The same without anybody who waits for an answer.
    caf::reacts_to<RunRef, Projects>,
    // How many more runs the line takes.
    caf::replies_to<room_atom>::with<std::uint32_t>,
    // The run's thread has ended and its end is on disk; the number is its computing time in ms.
    caf::reacts_to<release_atom, RunRef, std::int64_t>,
    // Hand out nothing more: the program is about to end.
    caf::reacts_to<drain_atom>>;

/// A node's analysts: computes jobs, each in a detached and monitored actor of its own.
using Analysts = caf::typed_actor<
    // Compute; steps, the outcome and the end go to the project's shard.
    caf::reacts_to<AnalysisJob, Projects>,
    // Stop computing this run as soon as possible.
    caf::reacts_to<cancel_atom, RunRef>,
    // Stop all of them.
    caf::reacts_to<cancel_atom>,
    // How many compute right now.
    caf::replies_to<drain_atom>::with<std::uint64_t>>;

/// A shard of the accounts, by account id: keys, limits, plan and expiry.
using Accounts = caf::typed_actor<
    // Checks the key, counts the request, hands it on to the project's shard, which answers.
    caf::replies_to<Call>::with<Answer>,
    // Makes an account; the reply's text is its id.
    caf::replies_to<AddAccount>::with<AdminReply>,
    // Makes a key; the reply's text is the key, which nobody can read again.
    caf::replies_to<AddKey>::with<AdminReply>,
    // When the reply has come, no request with that key is let in any more.
    caf::replies_to<RevokeKey>::with<AdminReply>,
    // Writes the counts that have changed; true when they are on disk.
    caf::replies_to<save_atom>::with<bool>>;

/// A shard of the calling addresses: the application-wide limits. It lies before the accounts, which a flood
/// from one address must not cost anything.
using AddressGuard = caf::typed_actor<
    // Counts the request against its address and hands it on to the account's shard; answers a visit itself.
    caf::replies_to<Call>::with<Answer>,
    // Writes the counts that have changed; true when they are on disk.
    caf::replies_to<save_atom>::with<bool>,
    // Windows that have run out are forgotten, from now on every ten minutes.
    caf::reacts_to<sweep_atom>>;

}  // namespace actors

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
CAF_ADD_TYPE_ID(roof, (actors::RevokeKey))
CAF_ADD_TYPE_ID(roof, (actors::DiscardAside))
CAF_ADD_TYPE_ID(roof, (persistence::Write))
CAF_ADD_TYPE_ID(roof, (persistence::Writes))
CAF_ADD_TYPE_ID(roof, (actors::Projects))
CAF_END_TYPE_ID_BLOCK(roof)
