// An actor that measures its mailbox and its work. CAF 0.17 has no metrics of its own, and Debian builds it
// without its profiler. But every message passes two virtual functions: enqueue() in the sender's thread and
// consume() in the actor's own. Reading the clock twice costs about 60 ns a message. The figures reach the
// meter when the mailbox is empty, and at the latest after some messages. The same place answers the beats of
// pulse.hpp.
#pragma once
#include <caf/actor_config.hpp>
#include <caf/error.hpp>
#include <caf/execution_unit.hpp>
#include <caf/invoke_message_result.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/sec.hpp>
#include <chrono>
#include <exception>
#include <string>
#include <utility>

#include "actors/meters.hpp"
#include "actors/pulse.hpp"

namespace actors {

/// `Base` is a typed actor's base class: class JournalActor : public Measured<Journal::base>.
template <class Base>
class Measured : public Base {
 public:
  Measured(caf::actor_config& config, const char* kind, MetersPtr meters)
      : Base(config), meters_(std::move(meters)), meter_(meters_->actor(kind)), tally_(meter_) {
    // An exception ends the actor and becomes the reason that watch.hpp reports.
    this->set_exception_handler([](std::exception_ptr& thrown) { return reason_of(thrown); });
  }

  void enqueue(caf::mailbox_element_ptr message, caf::execution_unit* host) override {
    meter_.mailbox->Increment();
    Base::enqueue(std::move(message), host);
  }

  caf::invoke_message_result consume(caf::mailbox_element& message) override {
    const auto began = std::chrono::steady_clock::now();
    const auto result = answers_beat(message) ? caf::invoke_message_result::consumed : Base::consume(message);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    if (result == caf::invoke_message_result::skipped) return result;  // it stays in the mailbox
    tally_.add(took.count());
    if (tally_.size() >= kToldAtOnce || this->mailbox().empty()) tally_.tell();
    return result;
  }

 protected:
  Meters& meters() { return *meters_; }
  const MetersPtr& shared_meters() const { return meters_; }

 private:
  static bool answers_beat(caf::mailbox_element& message) {
    const auto& content = message.content();
    if (!content.template match_elements<BeatPtr>()) return false;
    content.template get_as<BeatPtr>(0)->answer();
    return true;
  }
  static caf::error reason_of(const std::exception_ptr& thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& e) {
      return caf::make_error(caf::sec::runtime_error, std::string(e.what()));
    } catch (...) {
      return caf::make_error(caf::sec::runtime_error, std::string("something that is no exception"));
    }
  }
  MetersPtr meters_;
  static constexpr std::size_t kToldAtOnce = 32;
  ActorMeter meter_;
  MessageTally tally_;
};

}  // namespace actors
