// What messages carry: requests, answers, runs, orders. All of them are values that CAF can serialise
// (serialisation.hpp), so that actors may live on other nodes.
#pragma once
#include <caf/optional.hpp>
#include <caf/variant.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "actors/accounts/key_text.hpp"
#include "actors/refusal.hpp"

namespace actors {

// ---- what a client asks for -----------------------------------------------------------------------------

/// Consumption in kWh a year; the profile is one of the contract's codes. Both have been checked before.
struct CreateProject {
  std::string name;
  std::string address;
  double consumption_kwh = 0;
  std::string load_profile;
  std::string request_id;  ///< X-Request-Id of the request, for the log
};

/// GET /analyse: creates the project when there is none at the address, and answers its state.
struct SingleCall {
  CreateProject project;  ///< an empty name means: the resolved address
};

struct QueryAnalysis {
  std::uint64_t project = 0;
};

/// Fields that are not sent are taken from the last request: consumption 0 and an empty profile mean that.
struct RestartAnalysis {
  std::uint64_t project = 0;
  double consumption_kwh = 0;
  std::string load_profile;
  std::string request_id;  ///< as in CreateProject
};

/// The `limit` newest projects with an id below `before` (0: from the newest).
struct ListProjects {
  int limit = 100;
  std::uint64_t before = 0;
  bool details = false;  ///< with state and figures, for the web application
  std::string search;    ///< only those whose name or address contains it; empty: all
};

enum class MediaKind : std::uint8_t { listing, surface_image, overview_image, orthophoto, model };

/// One of a project's media, or the list of them.
struct QueryMedia {
  std::uint64_t project = 0;
  MediaKind kind = MediaKind::listing;
  int surface = 0;   ///< of a surface image; no surface has the number 0
  bool png = false;  ///< of an image; false: SVG
  int width_px = 0;  ///< of an image
};

// What only the web application asks for.

struct ReadProject {
  std::uint64_t project = 0;
};
/// The newest result's bytes, for whoever computes with it.
struct ReadAnalysis {
  std::uint64_t project = 0;
};
/// The name has been checked before.
struct RenameProject {
  std::uint64_t project = 0;
  std::string name;
};
/// The owner saves the project: its model and its orthophoto are made and stored.
struct StoreMedia {
  std::uint64_t project = 0;
};
/// The project goes for good, with its run, result, pictures and addresses, whatever it is doing.
struct DeleteProject {
  std::uint64_t project = 0;
};

/// A request that needs no key: a public page.
struct Visit {};

/// A Refusal is a request whose form is invalid: its key is checked and it is counted like any other, then it
/// is answered with that refusal.
using Command =
    caf::variant<CreateProject, SingleCall, QueryAnalysis, RestartAnalysis, ListProjects, QueryMedia,
                 ReadProject, ReadAnalysis, RenameProject, StoreMedia, DeleteProject, Visit, Refusal>;

/// Whether the command may store something: then its count must be on its way to the disk first. A new
/// command needs a line here, or the program does not compile.
constexpr bool may_store(const CreateProject&) { return true; }
constexpr bool may_store(const SingleCall&) { return true; }
constexpr bool may_store(const RestartAnalysis&) { return true; }
constexpr bool may_store(const QueryAnalysis&) { return false; }
constexpr bool may_store(const ListProjects&) { return false; }
constexpr bool may_store(const QueryMedia&) { return false; }
constexpr bool may_store(const ReadProject&) { return false; }
constexpr bool may_store(const ReadAnalysis&) { return false; }
constexpr bool may_store(const RenameProject&) { return true; }
constexpr bool may_store(const StoreMedia&) { return true; }
constexpr bool may_store(const DeleteProject&) { return true; }
constexpr bool may_store(const Visit&) { return false; }
constexpr bool may_store(const Refusal&) { return false; }

/// Which of the account's limits a request counts against.
enum class LimitClass : std::uint8_t { create, status, analyse, media };
inline constexpr std::size_t kLimitClasses = 4;

/// The state of one of the calling address's limits after a request.
struct Allowance {
  std::uint32_t limit = 0;  ///< 0: off
  std::uint32_t remaining = 0;
  std::uint32_t reset_s = 0;  ///< until the oldest counted request leaves the window
};
struct AddressAllowances {
  Allowance hour, day;
};

struct Call {
  SentKey key;
  std::string from;  ///< the calling address: IPv4, or an IPv6 network of 64 bits
  LimitClass limit = LimitClass::status;
  Command command;
  AddressAllowances address;  ///< filled in by the address guard
};

/// What the accounts know about a caller, for the project's shard.
struct Ticket {
  std::uint64_t account = 0;
  bool single_project = false;  ///< a test account: at most one project
  std::uint32_t limit = 0;      ///< of the limit class that the request counted against; 0: off
  std::uint32_t remaining = 0;
  std::uint32_t reset_s = 0;
  AddressAllowances address;
};

// ---- what comes back ------------------------------------------------------------------------------------

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
  std::uint32_t ahead = 0;  ///< runs that get a slot before this one, while it waits
  bool keeps_inputs =
      false;  ///< the request names another consumption or profile, which this run does not take
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

enum class ProjectState : std::uint8_t { waiting, running, finished, failed };

struct ProjectLine {
  std::uint64_t project = 0;
  std::string name, street, postcode, town;
  double lat_deg = 0, lon_deg = 0;
  std::int64_t created_ms = 0;
  // With ListProjects::details:
  ProjectState state = ProjectState::waiting;
  bool has_result = false;
  double kwp = 0, kwh_per_year = 0;  ///< of the recommended installation; 0: not known
};

struct ProjectPage {
  std::vector<ProjectLine> projects;
  bool more = false;
  std::uint64_t before = 0;  ///< where the next page goes on: what was looked at last
};

struct ProjectRecord {
  std::uint64_t project = 0;
  std::string name, address_sent;
  std::string street, house_number, postcode, town, country;
  double lon_deg = 0, lat_deg = 0;
  double consumption_kwh = 0;
  std::string load_profile;
  std::int64_t created_ms = 0;
  ProjectState state = ProjectState::waiting;
  std::int64_t saved_ms = 0;  ///< 0: never
  std::uint64_t model_bytes = 0, orthophoto_bytes = 0;
};

/// The result as persistence/result_codec.hpp reads it.
struct StoredAnalysis {
  std::uint64_t project = 0;
  SharedText bytes;
};

/// What was asked for is on disk.
struct Done {};

struct MediaItem {
  MediaKind kind = MediaKind::overview_image;
  int surface = 0;  ///< of a surface image
  bool available = false;
  Refusal refusal;               ///< the answer of its address when it is not available
  std::uint64_t size_bytes = 0;  ///< 0: it is made on request
  std::string attribution;       ///< what must be named with the medium
};

/// How well the elevation model supports a surface: standard errors and the data behind them.
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

/// Without a stored result there are no known surfaces and no images.
struct MediaList {
  std::uint64_t project = 0;
  std::vector<MediaItem> media;
  std::vector<SurfaceQuality> surfaces;
};

/// The answer to a visit: let in.
struct Welcome {};

using Outcome = caf::variant<Refusal, Created, Running, Finished, ProjectPage, MediaList, Medium, Welcome,
                             ProjectRecord, StoredAnalysis, Done>;

/// Every request gets exactly one answer. `ticket` says how the caller's limits stand (account 0: unknown).
struct Answer {
  Ticket ticket;
  Outcome outcome;
};

// ---- runs -----------------------------------------------------------------------------------------------

struct RunRef {
  std::uint64_t run = 0;  ///< grows with every run and so gives the order in line
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
  std::string scene;                      ///< the data its pictures are drawn from; empty: none can be drawn
  double design_kwp = 0, design_kwh = 0;  ///< of the recommended installation: peak power, yield a year
  Code code = Code::analyse_fehlgeschlagen;
  std::string text;    ///< German, for the client; may be empty
  std::string reason;  ///< English, for the operator; may be empty
};

// ---- pictures and files ---------------------------------------------------------------------------------

/// What a renderer is to make. The bytes depend on these fields alone: equal orders give equal bytes.
struct RenderOrder {
  std::uint64_t account = 0;
  std::uint64_t project = 0;
  std::uint64_t version = 0;  ///< of what is drawn: the run; of a saved file: time of saving, ms
  MediaKind kind = MediaKind::overview_image;
  bool anew = false;  ///< of model and orthophoto: true makes it from the result, false reads the saved file
  int surface = 0;
  bool png = false;
  int width_px = 0;
};

struct Rendered {
  bool ok = false;
  Code code = Code::interner_fehler;  ///< why not
  SharedText body;
  std::string reason;  ///< why not, in English for the operator; empty unless something failed
};

/// The project's owner saves it: its model and its orthophoto are made and stored.
struct SaveProject {
  std::uint64_t account = 0;
  std::uint64_t project = 0;
};

// ---- addresses ------------------------------------------------------------------------------------------

struct Located {
  enum class Kind : std::uint8_t { house, ambiguous, unknown, unreachable, overloaded };
  Kind kind = Kind::unknown;
  std::string street, house_number, postcode, town, country;
  double lon_deg = 0, lat_deg = 0;
  std::vector<std::string> candidates;  ///< spellings that resolve, the most likely first
  std::string reason;                   ///< of `unreachable` and `overloaded`: English, for the operator
};

// ---- administration -------------------------------------------------------------------------------------

struct AddAccount {
  std::string email;
  std::string plan;  ///< "regular" or "test"
};
struct AddKey {
  std::uint64_t account = 0;
  std::string name;
  /// How many keys the account has as far as the caller knows. With another number none is made: the order
  /// was sent before. Nothing: one is made in any case.
  caf::optional<std::uint64_t> beside;
};
/// Revokes a key for good. The reply's text says what has happened to it.
struct RevokeKey {
  std::uint64_t account = 0;
  std::string key_id;  ///< as made by key_id() from the fingerprint
};
/// Moves a project's damaged result aside, so that a new run can take its place. The reply's text says what
/// was moved.
struct QuarantineResult {
  std::uint64_t account = 0;
  std::uint64_t project = 0;
};
/// Erases what of a project lies in files that are gone. The reply's text says what that was.
struct GiveUpLost {
  std::uint64_t account = 0;
  std::uint64_t project = 0;
};
/// Erases all projects of an account that is closed. The reply's text says how many.
struct EraseProjects {
  std::uint64_t account = 0;
};
/// Erases all results of a project that were moved aside. The reply's text says how many.
struct DiscardAside {
  std::uint64_t account = 0;
  std::uint64_t project = 0;
};
/// `text` is the account id or the key; when `ok` is false, one sentence that says why.
struct AdminReply {
  bool ok = false;
  std::string text;
  bool outdated = false;  ///< refused because something has changed since the caller looked
};

}  // namespace actors
