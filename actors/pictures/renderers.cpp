#include "actors/pictures/renderers.hpp"

#include <algorithm>

namespace actors {
namespace {

constexpr int kDrawingBusyRetry_s = 10;

RenderLine empty_line(const ActorOptions& options) {
  return {options.renderers, options.renders_waiting_max,
          static_cast<std::size_t>(options.media_cached_mb) << 20U};
}

Outcome outcome_of(const RenderOrder& order, const Rendered& rendered) {
  if (rendered.ok) return Medium{order.project, order.kind, order.surface, order.png, rendered.body};
  Refusal refusal{.code = rendered.code, .project = order.project};
  if (rendered.code != Code::dienst_ueberlastet) return refusal;
  refusal.text = "Es werden gerade zu viele Bilder auf einmal angefordert.";
  refusal.retry_after_s = kDrawingBusyRetry_s;
  refusal.project = 0;  // no analysis has to be restarted
  return refusal;
}

}  // namespace

RenderersActor::RenderersActor(caf::actor_config& config, const ActorOptions& options, Spawn spawn,
                               MetersPtr meters)
    : Measured(config, "renderers", std::move(meters)),
      spawn_(std::move(spawn)),
      options_(options),
      line_(empty_line(options)) {
  set_down_handler([this](const caf::down_msg& down) { died(down.source); });
}

RenderersActor::behavior_type RenderersActor::make_behavior() {
  for (std::uint32_t i = 0; i < options_.renderers; ++i) idle_.push_back(spawn_one());
  return {
      [this](const Ticket& ticket, const RenderOrder& order) -> caf::result<Answer> {
        auto promise = make_response_promise<Answer>();
        ask(order, [promise, ticket, order](const Rendered& rendered) mutable {
          promise.deliver(Answer{ticket, outcome_of(order, rendered)});
        });
        return promise;
      },
      [this](const RenderOrder& order) -> caf::result<Rendered> {
        auto promise = make_response_promise<Rendered>();
        ask(order, [promise](const Rendered& rendered) mutable { promise.deliver(rendered); });
        return promise;
      },
  };
}

void RenderersActor::on_exit() {
  for (const Renderer& renderer : all_) send_exit(renderer, caf::exit_reason::user_shutdown);
  all_.clear();
  idle_.clear();
  at_work_.clear();
  line_ = empty_line(options_);
  spawn_ = nullptr;
}

void RenderersActor::ask(const RenderOrder& order, const RenderLine::Waiter& waiter) {
  if (!line_.ask(order, waiter)) return waiter({.ok = false, .code = Code::dienst_ueberlastet, .body = {}});
  hand_out();
}

void RenderersActor::hand_out() {
  while (const auto order = line_.next()) {
    const Renderer renderer = idle_.back();
    idle_.pop_back();
    at_work_[renderer.address()] = *order;
    request(renderer, caf::infinite, *order)
        .then([this, renderer](const Rendered& rendered) { over(renderer, rendered); },
              [](const caf::error&) {});  // the renderer has died, which died() handles
  }
}

void RenderersActor::over(const Renderer& renderer, const Rendered& rendered) {
  const auto work = at_work_.extract(renderer.address());
  idle_.push_back(renderer);
  line_.over(work.mapped(), rendered);
  hand_out();
}

Renderer RenderersActor::spawn_one() {
  Renderer renderer = spawn_();
  monitor(renderer);  // a request to a renderer that dies while drawing is never answered
  all_.push_back(renderer);
  return renderer;
}

void RenderersActor::died(const caf::actor_addr& address) {
  const auto is_it = [&](const Renderer& renderer) { return renderer.address() == address; };
  if (std::erase_if(all_, is_it) == 0) return;
  std::erase_if(idle_, is_it);
  idle_.push_back(spawn_one());
  if (const auto work = at_work_.extract(address))
    line_.over(work.mapped(), {.ok = false, .code = Code::interner_fehler, .body = {}});
  hand_out();
}

}  // namespace actors
