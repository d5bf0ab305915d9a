// Actors that do what a test's script says, in place of those that block or compute. Everything runs in one
// thread under CAF's test scheduler, so the script is a plain struct that both sides look into.
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "actors/mail/smtp.hpp"
#include "actors/messages.hpp"
#include "actors/pictures/renderer.hpp"

namespace test {

struct Script {
  // The geocoder: what each address text resolves to; anything else is unknown.
  std::map<std::string, actors::Located> addresses;
  static constexpr auto kAnswerHeld = "answer what is held";
  bool geocoder_holds = false;   ///< keep questions until asked for kAnswerHeld
  bool geocoder_silent = false;  ///< never answer
  std::vector<std::pair<std::string, caf::typed_response_promise<actors::Located>>> held;
  int located = 0;

  // What is known without the geocoder.
  std::map<std::string, actors::Located> known_at_once;
  bool look_up_throws = false;

  std::optional<actors::Located> look_up(const std::string& address) const {
    if (look_up_throws) throw std::runtime_error("page torn out");
    const auto it = known_at_once.find(address);
    return it == known_at_once.end() ? std::nullopt : std::optional(it->second);
  }
  actors::Located locate(const std::string& address) const {
    const auto it = addresses.find(address);
    return it == addresses.end() ? actors::Located{} : it->second;
  }

  // The mail server: what it got, and how it answers.
  std::vector<actors::Mail> posted;
  actors::Delivery::Kind mail_ends = actors::Delivery::Kind::accepted;

  actors::Delivery post(const actors::Mail& mail) {
    posted.push_back(mail);
    return {mail_ends, "250 thank you"};
  }

  // The analysts: the jobs whose thread has not ended, by run, and what they were told.
  struct Work {
    actors::AnalysisJob job;
    actors::RunOwner owner;
  };
  std::map<std::uint64_t, Work> computing;
  std::vector<std::uint64_t> started;  ///< runs in the order in which they began
  std::vector<std::uint64_t> cancelled;
  std::size_t most_at_once = 0;

  // The renderers: what they were asked to draw, and how they answer.
  std::vector<actors::RenderOrder> drawn;
  actors::Code drawing_fails = actors::Code::schluessel_fehlt;  ///< a code that no drawing gives: it succeeds
  bool no_aerial_image = false;
  bool drawing_throws = false;

  actors::Rendered draw(const actors::RenderOrder& order, const geo::RoofAnalysis& analysis) {
    drawn.push_back(order);
    if (drawing_throws) throw std::runtime_error("out of ink");
    if (drawing_fails != actors::Code::schluessel_fehlt) return actors::not_rendered(drawing_fails);
    if (no_aerial_image && order.kind == actors::MediaKind::orthophoto)
      return actors::not_rendered(actors::Code::orthofoto_fehlt);
    return actors::rendered_text("medium " + std::to_string(static_cast<int>(order.kind)) + " of " +
                                 std::to_string(analysis.surfaces.size()) + " surfaces, " +
                                 std::to_string(order.surface) + (order.png ? " as PNG " : " as SVG ") +
                                 std::to_string(order.width_px));
  }

  // The disk.
  bool disk_refuses = false;
  bool disk_silent = false;  ///< the journal says nothing until it is told to (flush_atom)
  /// It writes, so that all can be read, and says nothing until then: a pair whose standby is silent.
  bool standby_silent = false;
  std::size_t commits = 0;
};

class ScriptedGeocoder : public actors::Geocoder::base {
 public:
  ScriptedGeocoder(caf::actor_config& config, Script& script)
      : actors::Geocoder::base(config), script_(script) {}

 private:
  behavior_type make_behavior() override {
    return {[this](const std::string& address, std::int64_t, std::uint64_t) -> caf::result<actors::Located> {
              if (address == Script::kAnswerHeld) return answer_held();
              ++script_.located;
              if (!script_.geocoder_holds && !script_.geocoder_silent) return script_.locate(address);
              auto promise = make_response_promise<actors::Located>();
              script_.held.emplace_back(address, promise);
              return promise;
            },
            [](actors::next_atom) {}};
  }
  actors::Located answer_held() {
    auto all = std::move(script_.held);
    script_.held.clear();
    for (auto& [address, promise] : all) promise.deliver(script_.locate(address));
    return {};
  }
  Script& script_;
};

class ScriptedAnalysts : public actors::Analysts::base {
 public:
  ScriptedAnalysts(caf::actor_config& config, Script& script)
      : actors::Analysts::base(config), script_(script) {}

 private:
  behavior_type make_behavior() override {
    return {
        [this](const actors::AnalysisJob& job, const actors::RunOwner& owner) {
          script_.computing[job.run.run] = {job, owner};
          script_.started.push_back(job.run.run);
          script_.most_at_once = std::max(script_.most_at_once, script_.computing.size());
        },
        [this](actors::cancel_atom, const actors::RunRef& ref) { script_.cancelled.push_back(ref.run); },
        [](actors::cancel_atom) {},
        [this](actors::drain_atom) { return static_cast<std::uint64_t>(script_.computing.size()); },
    };
  }
  Script& script_;
};

/// Stands before the real journal and refuses writes while the script says so.
class ScriptedDisk : public actors::Journal::base {
 public:
  ScriptedDisk(caf::actor_config& config, Script& script, actors::Journal journal)
      : actors::Journal::base(config), script_(script), journal_(std::move(journal)) {}

 private:
  behavior_type make_behavior() override {
    return {[this](const persistence::Writes& writes) -> caf::result<bool> {
              ++script_.commits;
              if (script_.disk_silent) {
                kept_.emplace_back(make_response_promise<bool>(), writes);
                return kept_.back().first;
              }
              if (script_.disk_refuses) return false;
              if (script_.standby_silent) {
                auto promise = make_response_promise<bool>();
                request(journal_, caf::infinite, writes).then([this, promise](bool stored) mutable {
                  unheard_.emplace_back(promise, stored);
                });
                return promise;
              }
              return delegate(journal_, writes);
            },
            [this](actors::flush_atom) { speak(); }};
  }
  void speak() {
    for (auto& [promise, writes] : std::exchange(kept_, {}))
      if (script_.disk_refuses)
        promise.deliver(false);
      else
        promise.delegate(journal_, writes);
    for (auto& [promise, stored] : std::exchange(unheard_, {})) promise.deliver(stored);
  }
  // A kept promise keeps its asker alive, and the asker keeps this actor alive.
  void on_exit() override {
    kept_.clear();
    unheard_.clear();
  }
  Script& script_;
  actors::Journal journal_;
  std::vector<std::pair<caf::typed_response_promise<bool>, persistence::Writes>> kept_;
  std::vector<std::pair<caf::typed_response_promise<bool>, bool>> unheard_;
};

}  // namespace test
