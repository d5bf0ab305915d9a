// A project is saved by its owner: its 3D model and its orthophoto are made from the stored result, and
// stored. They stay when the result expires. A project that was saved once is saved anew with each new
// result.
#include "actors/projects/failure_lines.hpp"
#include "actors/projects/projects.hpp"
#include "persistence/keys.hpp"

namespace actors {

using persistence::FileKind;
using persistence::Table;

namespace {

constexpr auto kMakingTimeout = std::chrono::minutes(1);
constexpr auto kNotKnownYet = "may have been saved or not: the disk has not answered in time";
constexpr auto kBegunAnew = "was not saved: its analysis was begun anew meanwhile";
constexpr auto kNothingToDraw = "has a result that nothing can be drawn of; run its analysis again";

/// `why` is for an operator, `refusal` for the project's owner.
SaveEnd not_saved(Refusal refusal, const std::string& why) {
  const std::string text = "project " + std::to_string(refusal.project) + " " + why;
  return {std::move(refusal), text};
}
SaveEnd not_saved(const SaveProject& order, Code code, const std::string& why) {
  return not_saved({.code = code, .project = order.project}, why);
}

std::string sentence(const SaveProject& order, const persistence::SavedMedia& media) {
  return "project " + std::to_string(order.project) + ": model " + std::to_string(media.model_bytes) +
         " bytes, " +
         (media.orthophoto_bytes > 0 ? "orthophoto " + std::to_string(media.orthophoto_bytes) + " bytes"
                                     : "no orthophoto: no aerial image shows the property");
}

/// Writes the file's new bytes. Without new bytes an earlier file is erased.
persistence::Write file_write(const SaveProject& order, FileKind kind, const SharedText& text) {
  std::string key = persistence::file_key(order.account, order.project, kind);
  if (text.text->empty()) return persistence::erased(Table::files, std::move(key));
  return {Table::files, std::move(key), *text.text};
}

}  // namespace

caf::result<AdminReply> ProjectsActor::save(const SaveProject& order) {
  auto promise = make_response_promise<AdminReply>();
  save(order, [promise](SaveEnd end) mutable {
    if (promise.pending()) promise.deliver(AdminReply{!end.refusal, std::move(end.text)});
  });
  return promise;
}

void ProjectsActor::save(const SaveProject& order, std::function<void(SaveEnd)> answer) {
  const auto found = shelf_.find(order.account, order.project);
  if (!found) return answer(not_saved(order, Code::interner_fehler, "cannot be read"));
  if (!*found) return answer(not_saved(order, Code::projekt_unbekannt, "does not exist"));
  const Entry& entry = **found;
  const auto analysis = results_.analysis(entry);
  if (!analysis)
    return answer(
        not_saved(analysis.error(), std::string("has no result to save: ") + name_of(analysis.error().code)));
  if (entry.run.scene_bytes == 0)
    return answer(not_saved(order, Code::bild_nicht_zeichenbar, kNothingToDraw));
  auto saving = std::make_shared<Save>();
  *saving = {order, std::move(answer), entry.run.id, {}, {}, {}};
  saving->media.attribution = attribution_of(*analysis);
  make(saving, MediaKind::model, [this, saving](const SharedText* model) {
    saving->model = *model;
    make(saving, MediaKind::orthophoto, [this, saving](const SharedText* photo) {
      if (photo) saving->orthophoto = *photo;
      store(saving);
    });
  });
}

/// `then` gets null for an orthophoto when no aerial image shows the property. Any other failure ends the
/// saving: nothing is stored.
void ProjectsActor::make(const SavePtr& saving, MediaKind kind, std::function<void(const SharedText*)> then) {
  const RenderOrder order{.account = saving->order.account,
                          .project = saving->order.project,
                          .version = saving->run,
                          .kind = kind,
                          .anew = true};
  request(peers_.renderers, kMakingTimeout, order)
      .then(
          [saving, then = std::move(then)](const Rendered& made) {
            if (made.ok) return then(&made.body);
            if (made.code == Code::orthofoto_fehlt) return then(nullptr);
            saving->answer(
                not_saved(saving->order, made.code, std::string("cannot be drawn: ") + name_of(made.code)));
          },
          [saving](const caf::error&) {
            saving->answer(not_saved({.code = Code::dienst_ueberlastet,
                                      .project = saving->order.project,
                                      .retry_after_s = kBusyRetry_s},
                                     "was not drawn in time"));
          });
}

void ProjectsActor::store(const SavePtr& saving) {
  const SaveProject& order = saving->order;
  const auto found = shelf_.find(order.account, order.project);
  if (!found) return saving->answer(not_saved(order, Code::interner_fehler, "cannot be read"));
  if (!*found) return saving->answer(not_saved(order, Code::projekt_unbekannt, "does not exist any more"));
  // The one file may be of the last result and the other one of the next, which nobody could tell from them.
  if (const persistence::Run& now = (*found)->run; now.id != saving->run)
    return saving->answer(
        now.state == persistence::RunState::finished
            ? not_saved(
                  {.code = Code::dienst_ueberlastet, .project = order.project, .retry_after_s = kBusyRetry_s},
                  kBegunAnew)
            : not_saved(order, Code::analyse_fehlt, kBegunAnew));
  saving->media.saved_ms = clock_();
  saving->media.model_bytes = saving->model.text->size();
  saving->media.orthophoto_bytes = saving->orthophoto.text->size();
  commit(
      order.project,
      {{Table::media, persistence::project_key(order.account, order.project), encode(saving->media)},
       file_write(order, FileKind::model, saving->model),
       file_write(order, FileKind::orthophoto, saving->orthophoto)},
      [saving](bool on_disk) {
        saving->answer(
            on_disk ? SaveEnd{{}, sentence(saving->order, saving->media)}
                    : not_saved(saving->order, Code::interner_fehler, "was not saved: the disk refuses"));
      },
      [saving] {
        saving->answer(
            not_saved(late_disk("ob das Projekt gespeichert ist", saving->order.project), kNotKnownYet));
      });
}

/// What was saved shows the result before this one. Where it cannot be made anew it stays, and the log says
/// why.
void ProjectsActor::save_anew(const RunRef& ref) {
  const auto saved = store_.get(Table::media, persistence::project_key(ref.account, ref.project));
  if (!saved || !*saved) return;
  save(SaveProject{ref.account, ref.project}, [this, ref](const SaveEnd& end) {
    if (end.refusal)
      tell_failed_request(meters().log(), "saving anew failed",
                          {.account = ref.account, .project = ref.project}, end.refusal->code, end.text);
  });
}

}  // namespace actors
