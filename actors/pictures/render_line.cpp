#include "actors/pictures/render_line.hpp"

#include <utility>

namespace actors {

std::string RenderLine::key_of(const RenderOrder& o) {
  std::string key;
  for (const std::uint64_t number :
       {o.account, o.project, o.version, static_cast<std::uint64_t>(o.kind), std::uint64_t{o.anew},
        static_cast<std::uint64_t>(o.surface), std::uint64_t{o.png}, static_cast<std::uint64_t>(o.width_px)})
    key += std::to_string(number) + " ";
  return key;
}

bool RenderLine::ask(const RenderOrder& order, Waiter waiter) {
  const std::string key = key_of(order);
  if (const SharedText* text = brought_.find(key)) {
    waiter({.ok = true, .body = *text});
    return true;
  }
  const auto under_way = waiters_.find(key);
  if (under_way != waiters_.end()) {
    under_way->second.push_back(std::move(waiter));
    return true;
  }
  if (drawing_ == renderers_ && line_.size() >= waiting_max_ && !make_room(order.account)) return false;
  waiters_[key].push_back(std::move(waiter));
  line_.add(order.account, order);
  return true;
}

bool RenderLine::make_room(std::uint64_t account) {
  const auto dropped = line_.make_room(account);
  if (dropped) answer(key_of(*dropped), {.ok = false, .code = Code::dienst_ueberlastet, .body = {}});
  return dropped.has_value();
}

std::optional<RenderOrder> RenderLine::next() {
  if (drawing_ == renderers_) return {};
  auto order = line_.next();
  if (order) ++drawing_;
  return order;
}

void RenderLine::over(const RenderOrder& order, const Rendered& rendered) {
  --drawing_;
  const std::string key = key_of(order);
  // What is made anew is stored by its asker and asked for once: no need to cache it.
  if (rendered.ok && !order.anew) brought_.put(key, rendered.body, rendered.body.text->size());
  answer(key, rendered);
}

void RenderLine::answer(const std::string& key, const Rendered& rendered) {
  const auto waiters = waiters_.extract(key);
  for (const Waiter& waiter : waiters.mapped()) waiter(rendered);
}

}  // namespace actors
