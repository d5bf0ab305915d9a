// A browser's request while its page is being made: what was sent, who sent it, and the way to the actors.
#pragma once
#include <caf/binary_serializer.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>

#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "actors/open_requests.hpp"
#include "actors/service.hpp"
#include "geo/recent_cache.hpp"
#include "http/web/errands.hpp"
#include "http/web/form_fields.hpp"
#include "http/web/page_task.hpp"
#include "http/web/site.hpp"
#include "http/wire/request.hpp"
#include "http/wire/responder.hpp"

namespace http {

struct PageRoute;
struct PageVisit;
using PageVisitPtr = std::shared_ptr<PageVisit>;

/// How an order is answered that was not carried out.
struct Refused {
  int status;
  std::uint32_t retry_after_s = 0;  ///< 0: nobody knows when it would be
};
Refused refusal_of(const actors::MemberReply& reply);

}  // namespace http
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(http::PageVisitPtr)

namespace http {

/// Holds requests of browsers until their pages are made.
using Visits = caf::typed_actor<caf::reacts_to<PageVisitPtr>, caf::reacts_to<actors::late_atom>>;

class VisitsActor : public actors::Measured<Visits::base> {
 public:
  VisitsActor(caf::actor_config& config, std::chrono::seconds deadline,
              actors::MetersPtr meters = actors::private_meters());
  const char* name() const override { return "visits"; }

  actors::OpenRequests& open() { return open_; }
  /// Pages that have been made, by all that they are made of (PageVisit::keep); bounded.
  geo::RecentCache<std::string, Response>& made() { return made_; }

 private:
  behavior_type make_behavior() override;
  void on_exit() override;
  Detached run(PageVisitPtr visit);

  actors::OpenRequests open_;
  std::set<void*> frames_;  // of the pages that are being made
  geo::RecentCache<std::string, Response> made_;
};

/// The bytes of what a page is made of.
template <class... Parts>
std::string inputs_of(const Parts&... parts) {
  std::vector<char> bytes;
  caf::binary_serializer sink(nullptr, bytes);
  if (const caf::error error = sink(parts...)) throw std::logic_error("cannot be serialised");
  return {bytes.begin(), bytes.end()};
}

/// Waits for an actor's answer in a page's function; nothing when it comes too late.
template <class Answer, class To, class Message>
class Asked {
 public:
  Asked(VisitsActor& owner, To to, Message message)
      : owner_(owner), to_(std::move(to)), message_(std::move(message)) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> page) {
    owner_.open().template ask<Answer>(
        owner_, to_,
        [this, page](const Answer& answer) {
          answer_ = answer;
          page.resume();
        },
        [page] { page.resume(); }, std::move(message_));
  }
  std::optional<Answer> await_resume() { return std::move(answer_); }

 private:
  VisitsActor& owner_;
  To to_;
  Message message_;
  std::optional<Answer> answer_;
};

struct PageVisit {
  SitePtr site;
  const actors::Service& service;
  const Errands& errands;
  const PageRoute& route;
  Request request;
  std::vector<std::string> parameters;  ///< of the path
  std::string from;                     ///< the calling address
  Responder responder;
  actors::SessionState session = {};
  FormFields form = {};  ///< of a POST
  VisitsActor* actor = nullptr;
  std::string bad = {};                 ///< told on the page that is answered
  std::optional<Refused> refused = {};  ///< how that page is answered if not as it says itself

  /// For a form's button ("tat") that its page does not have.
  void tell_unknown_deed();

  template <class Answer, class To, class Message>
  Asked<Answer, To, Message> asked(const To& to, Message message) {
    return {*actor, to, std::move(message)};
  }
  /// One request of the account's owner to its projects; counted against the account's limit if given.
  auto ask(actors::Command command, std::optional<actors::LimitClass> counted = {}) {
    actors::MemberCall call{session.person.account, counted.has_value(),
                            counted.value_or(actors::LimitClass::create), std::move(command)};
    return asked<actors::Answer>(service.accounts_for(session.person.account), std::move(call));
  }
  auto order(actors::MemberOrder deed) {
    return asked<actors::MemberReply>(service.members(), std::move(deed));
  }
  /// What `work` returns, done in the errands' thread; nothing when it comes too late. `work` must own all
  /// that it uses: it may outlast the visit.
  template <class Work>
  Task<std::optional<std::invoke_result_t<Work&>>> apart(Work work);
  actors::Accounts account_shard() const { return service.accounts_for(session.person.account); }

  Viewer viewer() const { return {session.signed_in, session.person.email}; }
  Response respond(Page page) const;
  Response respond_json(std::string json) const;
  /// The page that was made of the same `inputs`, address and visitor before. Only of a GET that tells of no
  /// deed.
  std::optional<Response> made_before(const std::string& inputs) const;
  /// Keeps a page for made_before(). `inputs` and the visitor must be all that it depends on.
  Response keep(const std::string& inputs, Response made) const;
  /// 303; what was done is told by the page that follows (`?meldung=`).
  Response redirect(const std::string& path) const { return site->redirect(path); }
  Response error(const Trouble& trouble) const;
  /// The service is too busy, or the disk does not answer.
  Response unavailable() const;
  Response not_found() const;
  /// What the browser calls itself, in printable ASCII.
  std::string browser() const;
  std::string field(std::string_view name) const { return std::string(form.value(name).value_or("")); }
  /// What a script has written as base64url; empty for another text.
  std::string bytes_field(std::string_view name) const;
  bool is_post() const { return request.method == "POST"; }

 private:
  std::string key_of_page(const std::string& inputs) const;
  bool may_be_kept() const;
};

template <class Work>
Task<std::optional<std::invoke_result_t<Work&>>> PageVisit::apart(Work work) {
  struct Job {
    Work work;
    std::optional<std::invoke_result_t<Work&>> result;
  };
  const auto job = std::make_shared<Job>(Job{std::move(work), {}});
  auto errand = std::make_shared<Errand>();
  errand->work = [job] { job->result = job->work(); };
  const auto done = co_await asked<ErrandPtr>(errands, errand);
  if (!done) co_return std::nullopt;
  if (errand->fault) std::rethrow_exception(errand->fault);
  co_return std::move(job->result);
}

}  // namespace http
