#include "persistence/records.hpp"

#include <utility>

#include "persistence/record_bytes.hpp"
#include "persistence/records.pb.h"

namespace persistence {

using record_bytes::blank;
using record_bytes::bytes_of;
using record_bytes::parsed;

std::string encode(const Account& account) {
  auto& m = blank<proto::Account>();
  m.set_id(account.id);
  m.set_email(account.email);
  m.set_plan(account.plan);
  m.set_created_ms(account.created_ms);
  m.set_expires_ms(account.expires_ms);
  m.set_closed_ms(account.closed_ms);
  return bytes_of(m);
}

std::optional<Account> decode_account(const std::string& bytes) {
  const auto m = parsed<proto::Account>(bytes);
  if (!m) return {};
  return Account{m->id(), m->email(), m->plan(), m->created_ms(), m->expires_ms(), m->closed_ms()};
}

std::string encode(const Key& key) {
  auto& m = blank<proto::Key>();
  m.set_account(key.account);
  m.set_name(key.name);
  m.set_fingerprint(key.fingerprint);
  m.set_created_ms(key.created_ms);
  m.set_revoked_ms(key.revoked_ms);
  m.set_ending(key.ending);
  m.set_revoked(key.revoked);
  return bytes_of(m);
}

std::optional<Key> decode_key(const std::string& bytes) {
  const auto m = parsed<proto::Key>(bytes);
  if (!m) return {};
  return Key{m->account(),    m->name(),   m->fingerprint(), m->created_ms(),
             m->revoked_ms(), m->ending(), m->revoked()};
}

std::string encode(const Project& p) {
  auto& m = blank<proto::Project>();
  m.set_id(p.id);
  m.set_account(p.account);
  m.set_name(p.name);
  m.set_address_sent(p.address_sent);
  m.set_street(p.street);
  m.set_house_number(p.house_number);
  m.set_postcode(p.postcode);
  m.set_town(p.town);
  m.set_country(p.country);
  m.set_lon_deg(p.lon_deg);
  m.set_lat_deg(p.lat_deg);
  m.set_consumption_kwh(p.consumption_kwh);
  m.set_load_profile(p.load_profile);
  m.set_created_ms(p.created_ms);
  return bytes_of(m);
}

std::optional<Project> decode_project(const std::string& bytes) {
  const auto m = parsed<proto::Project>(bytes);
  if (!m) return {};
  return Project{m->id(),           m->account(),         m->name(),         m->address_sent(), m->street(),
                 m->house_number(), m->postcode(),        m->town(),         m->country(),      m->lon_deg(),
                 m->lat_deg(),      m->consumption_kwh(), m->load_profile(), m->created_ms()};
}

std::string encode(const Run& run) {
  auto& m = blank<proto::Run>();
  m.set_id(run.id);
  m.set_project(run.project);
  m.set_account(run.account);
  m.set_state(static_cast<proto::Run::State>(run.state));
  m.set_step(run.step);
  m.set_steps_done(run.steps_done);
  m.set_steps_total(run.steps_total);
  m.set_failure_code(run.failure_code);
  m.set_failure_text(run.failure_text);
  m.set_queued_ms(run.queued_ms);
  m.set_started_ms(run.started_ms);
  m.set_ended_ms(run.ended_ms);
  m.set_consumption_kwh(run.consumption_kwh);
  m.set_load_profile(run.load_profile);
  m.set_scene_bytes(run.scene_bytes);
  m.set_request_id(run.request_id);
  m.set_failure_reason(run.failure_reason);
  m.set_design_kwp(run.design_kwp);
  m.set_design_kwh(run.design_kwh);
  return bytes_of(m);
}

std::optional<Run> decode_run(const std::string& bytes) {
  const auto m = parsed<proto::Run>(bytes);
  if (!m || m->state() < proto::Run::WAITING || m->state() > proto::Run::FAILED) return {};
  return Run{m->id(),
             m->project(),
             m->account(),
             static_cast<RunState>(m->state()),
             m->step(),
             m->steps_done(),
             m->steps_total(),
             m->failure_code(),
             m->failure_text(),
             m->queued_ms(),
             m->started_ms(),
             m->ended_ms(),
             m->consumption_kwh(),
             m->load_profile(),
             m->scene_bytes(),
             m->request_id(),
             m->failure_reason(),
             m->design_kwp(),
             m->design_kwh()};
}

std::string encode(const SavedMedia& saved) {
  auto& m = blank<proto::SavedMedia>();
  m.set_saved_ms(saved.saved_ms);
  m.set_model_bytes(saved.model_bytes);
  m.set_orthophoto_bytes(saved.orthophoto_bytes);
  m.set_attribution(saved.attribution);
  return bytes_of(m);
}

std::optional<SavedMedia> decode_saved_media(const std::string& bytes) {
  const auto m = parsed<proto::SavedMedia>(bytes);
  if (!m) return {};
  return SavedMedia{m->saved_ms(), m->model_bytes(), m->orthophoto_bytes(), m->attribution()};
}

std::string encode(const Window& window) {
  proto::Window m;
  std::int64_t last_ms = 0;
  for (const std::int64_t time_ms : window.times_ms)
    m.add_steps_ms(time_ms - std::exchange(last_ms, time_ms));
  return bytes_of(m);
}

std::optional<Window> decode_window(const std::string& bytes) {
  const auto m = parsed<proto::Window>(bytes);
  if (!m) return {};
  Window window;
  std::int64_t time_ms = 0;
  for (const std::int64_t step_ms : m->steps_ms()) {
    // Unsigned, so that the sum wraps instead of overflowing: damaged bytes may hold any number.
    time_ms =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(time_ms) + static_cast<std::uint64_t>(step_ms));
    window.times_ms.push_back(time_ms);
  }
  return window;
}

}  // namespace persistence
