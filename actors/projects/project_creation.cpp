// From an address text to a stored project: known spelling, test quota, geocoding, known house, room in the
// line, storing. A second request for an address that is being created waits and then finds the project.
#include <cmath>

#include "actors/projects/failure_lines.hpp"
#include "actors/projects/projects.hpp"
#include "geo/addresses/pieces.hpp"
#include "persistence/keys.hpp"

namespace actors {

using persistence::AddressKind;

namespace {

constexpr int kLeavingRetry_s = 2;  // the project at the address is just being deleted
constexpr auto kUnreadable = "the store cannot be read";
constexpr auto kNotRecorded = "the disk takes no record of it";
constexpr auto kLineFull = "no room in the line (analysis.waiting-max)";

Refusal refusal_of(const Located& place) {
  Refusal refusal;
  refusal.found = place.candidates;
  switch (place.kind) {
    case Located::Kind::ambiguous:
      refusal.code = Code::adresse_nicht_eindeutig;
      break;
    case Located::Kind::unreachable:
      refusal.code = Code::dienst_nicht_erreichbar;
      break;
    case Located::Kind::overloaded:
      refusal.code = Code::dienst_ueberlastet;
      break;
    default:
      refusal.code = Code::adresse_nicht_gefunden;
      break;
  }
  if (refusal.code == Code::dienst_nicht_erreichbar || refusal.code == Code::dienst_ueberlastet)
    refusal.retry_after_s = kBusyRetry_s;
  return refusal;
}

/// The client may send the creation again later: it then finds its project or makes it.
Refusal late_creation() { return late_disk("ob das Projekt angelegt wird"); }

std::string house_text(const Located& place) {
  return geo::normal_address_text(place.country + "|" + place.postcode + "|" + place.town + "|" +
                                  place.street + "|" + place.house_number);
}

/// Taken, like an address, by the one open creation of a test account; never stored.
std::string quota_key(std::uint64_t account) { return persistence::number_key(account); }

}  // namespace

caf::result<Answer> ProjectsActor::create(const Ticket& ticket, CreateProject order, bool single_call) {
  const auto creation = std::make_shared<Creation>();
  creation->ticket = ticket;
  creation->request_id = order.request_id;
  creation->order = std::move(order);
  creation->single_call = single_call;
  creation->promise = make_response_promise<Answer>();
  creation->address = geo::AddressText(creation->order.address);
  creation->spelling_key =
      persistence::address_key(ticket.account, AddressKind::spelling, creation->address.normal);
  begin(creation);
  return creation->promise;
}

void ProjectsActor::begin(const CreationPtr& creation) {
  const Ticket& ticket = creation->ticket;
  // First the address, then the look: what a creation under way has written can be read before the journal
  // answers, and one of a pair may still lose it.
  if (!hold_or_wait(creation, creation->spelling_key)) return;
  const auto known = shelf_.by_address(creation->spelling_key);
  if (!known) return refuse(creation, {.code = Code::interner_fehler}, kUnreadable);
  if (*known) return answer_existing(creation, **known);
  if (ticket.single_project) {
    // One after the other: the creation before decides whether quota is left.
    creation->quota_key = quota_key(ticket.account);
    if (!hold_or_wait(creation, creation->quota_key)) return;
    const auto any = shelf_.has_projects(ticket.account);
    if (!any) return refuse(creation, {.code = Code::interner_fehler}, kUnreadable);
    if (*any) return refuse(creation, {.code = Code::testkontingent_erschoepft});
  }
  locate(creation);
}

/// A geocoder's answer costs two messages and a thread switch. Most addresses can be found without it.
void ProjectsActor::locate(const CreationPtr& creation) {
  if (auto place = known_place(creation->address)) return located(creation, std::move(*place));
  const std::chrono::milliseconds patience = std::chrono::seconds(options_.geocode_timeout_s);
  at_geocoder_.ask<Located>(
      *this, next_geocoder(), [this, creation](const Located& place) { located(creation, place); },
      [this, creation] {
        refuse(creation, {.code = Code::dienst_ueberlastet, .retry_after_s = kBusyRetry_s},
               "the geocoder does not answer (" + std::to_string(options_.geocode_timeout_s) + " s)");
      },
      creation->order.address, clock_() + patience.count(), creation->ticket.account);
}

/// If the look-up throws, the geocoder gets the address and fails for this one alone.
std::optional<Located> ProjectsActor::known_place(const geo::AddressText& address) const {
  try {
    return peers_.look_up ? peers_.look_up(address) : std::nullopt;
  } catch (const std::exception&) {
    return {};
  }
}

void ProjectsActor::located(const CreationPtr& creation, Located place) {
  if (place.kind != Located::Kind::house) return refuse(creation, refusal_of(place), place.reason);
  if (!std::isfinite(place.lon_deg) || !std::isfinite(place.lat_deg))
    return refuse(creation, {.code = Code::adresse_nicht_gefunden}, "the geocoder gave no coordinates");
  creation->house_key =
      persistence::address_key(creation->ticket.account, AddressKind::house, house_text(place));
  creation->place = std::move(place);
  if (!hold_or_wait(creation, creation->house_key)) return;
  const auto known = shelf_.by_address(creation->house_key);
  if (!known) return refuse(creation, {.code = Code::interner_fehler}, kUnreadable);
  if (*known) return answer_existing(creation, **known);
  check_room(creation);
}

void ProjectsActor::check_room(const CreationPtr& creation) {
  if (room_.take(clock_())) return store(creation);
  request(peers_.scheduler, caf::infinite, room_atom::value)
      .then(
          [this, creation](std::uint32_t room) {
            if (room == 0)
              refuse(creation, {.code = Code::dienst_ueberlastet, .retry_after_s = kBusyRetry_s}, kLineFull);
            else {
              room_.set(room, clock_());
              store(creation);
            }
          },
          [this, creation](const caf::error&) {
            refuse(creation, {.code = Code::dienst_ueberlastet, .retry_after_s = kBusyRetry_s},
                   "the scheduler does not answer");
          });
}

void ProjectsActor::store(const CreationPtr& creation) {
  if (closed_.contains(creation->ticket.account))
    return refuse(creation, {.code = Code::schluessel_ungueltig});
  const auto project = store_.next_id("project");
  const auto run = store_.next_id("run");
  if (!project || !run) return refuse(creation, {.code = Code::interner_fehler}, kNotRecorded);
  auto change = created({creation->ticket.account, *project, *run, std::move(creation->order),
                         std::move(creation->place), creation->spelling_key, creation->house_key},
                        clock_());
  creation->entry = std::move(change.entry);
  commit(
      *project, std::move(change.writes),
      [this, creation](bool on_disk) {
        if (on_disk)
          stored(creation);
        else
          refuse(creation, {.code = Code::interner_fehler}, kNotRecorded);
      },
      [this, creation] { late(creation); });
}

void ProjectsActor::stored(const CreationPtr& creation) {
  const persistence::Project& p = creation->entry.project;
  const RunRef run{creation->entry.run.id, p.account, p.id};
  if (creation->promise.pending())
    creation->promise.delegate(
        peers_.scheduler, run, caf::actor_cast<Projects>(this),
        Answer{creation->ticket, Created{p.id, p.name, p.address_sent, p.lat_deg, p.lon_deg, 0}});
  else  // the creation was late: its client has already been answered
    send(peers_.scheduler, run, caf::actor_cast<Projects>(this));
  shelf_.put(std::move(creation->entry));
  let_go(creation);
}

/// The address stays taken until the journal answers, but nobody waits for that.
void ProjectsActor::late(const CreationPtr& creation) {
  creation->promise.deliver(Answer{creation->ticket, late_creation()});
  for (const std::string* key : creation->held)
    for (const CreationPtr& other : creating_.late(*key)) refuse(other, late_creation());
}

/// The address is known: GET /analyse answers its run's state, POST /projekte that the project exists.
void ProjectsActor::answer_existing(const CreationPtr& creation, std::uint64_t project) {
  const auto found = shelf_.find(creation->ticket.account, project);
  if (shelf_.is_leaving(project))
    return refuse(creation, {.code = Code::dienst_ueberlastet, .retry_after_s = kLeavingRetry_s});
  if (!found || !*found) return refuse(creation, {.code = Code::interner_fehler}, kUnreadable);
  if (!creation->single_call)
    return refuse(creation, {.code = Code::projekt_besteht_bereits, .project = project});
  tell_state(creation->promise, creation->ticket, **found);
  let_go(creation);
}

/// `reason` is for the log; empty when the client's own input is refused.
void ProjectsActor::refuse(const CreationPtr& creation, Refusal refusal, std::string_view reason) {
  if (!reason.empty())
    tell_failed_request(meters().log(), "project not created",
                        {creation->request_id, creation->ticket.account}, refusal.code, reason);
  creation->promise.deliver(Answer{creation->ticket, std::move(refusal)});
  let_go(creation);
}

/// `key` is one of the creation's own. True: the creation now holds it. False: another creation holds it;
/// this one releases its keys and begins again when the other has ended, or is refused when the other is
/// late.
bool ProjectsActor::hold_or_wait(const CreationPtr& creation, const std::string& key) {
  switch (creating_.take(key, creation)) {
    case Creations::Turn::mine:
      creation->held.push_back(&key);
      return true;
    case Creations::Turn::late:
      refuse(creation, late_creation());
      return false;
    case Creations::Turn::waits:
      let_go(creation);
      return false;
  }
  return false;
}

void ProjectsActor::let_go(const CreationPtr& creation) {
  for (const std::string* key : std::exchange(creation->held, {}))
    for (const CreationPtr& other : creating_.end(*key).waiting) begin(other);
}

}  // namespace actors
