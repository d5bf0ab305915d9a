// The renderers behind one address: the line, the memory, equal orders, and a renderer that dies. Plain state
// first (RenderLine), then the actors under CAF's test scheduler.
#include "actors/pictures/renderers.hpp"

#include <gtest/gtest.h>

#include <map>

#include <caf/actor_system.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include "actors/pictures/renderer.hpp"
#include "tests/actors/testing_config.hpp"

namespace {

using namespace actors;

RenderOrder picture_of(std::uint64_t account, int width_px) {
  return {.account = account, .width_px = width_px};
}
RenderOrder picture(int width_px) { return {.account = 1, .project = 2, .version = 3, .width_px = width_px}; }

struct RendersInLine : ::testing::Test {
  RenderLine line{1, 2, 1000};
  std::vector<std::string> told;
  bool ask(const RenderOrder& order) {
    return line.ask(order,
                    [this](const Rendered& r) { told.push_back(r.ok ? *r.body.text : name_of(r.code)); });
  }
  void draw(const std::string& text) {
    const auto order = line.next();
    ASSERT_TRUE(order);
    line.over(*order, rendered_text(text));
  }
};

TEST_F(RendersInLine, DrawsInTheOrderOfTheQuestions) {
  for (const int width : {300, 200, 400}) ask(picture(width));
  for (const int width : {300, 200, 400}) {
    const auto order = line.next();
    ASSERT_TRUE(order);
    EXPECT_EQ(order->width_px, width);
    EXPECT_FALSE(line.next()) << "one renderer draws one picture";
    line.over(*order, rendered_text("p"));
  }
}

TEST_F(RendersInLine, AnswersAllWhoAskedForTheSamePictureWithOneDrawing) {
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(ask(picture(200)));
  draw("once");
  EXPECT_FALSE(line.next());
  EXPECT_EQ(told, std::vector<std::string>(100, "once"));
}

TEST_F(RendersInLine, IsFullWhenAsManyDifferentPicturesWaitAsItHolds) {
  ask(picture(200));
  const auto drawing = line.next();
  EXPECT_TRUE(ask(picture(201)));
  EXPECT_TRUE(ask(picture(202)));
  EXPECT_FALSE(ask(picture(203)));
  EXPECT_TRUE(ask(picture(202))) << "it is in line already";
  line.over(*drawing, rendered_text("p"));
  EXPECT_TRUE(line.next());
  EXPECT_TRUE(ask(picture(203)));
}

TEST_F(RendersInLine, LetsAccountsTakeTurns) {
  RenderLine wide(1, 20, 1000);
  for (const int width : {200, 201, 202}) wide.ask(picture_of(1, width), [](const Rendered&) {});
  wide.ask(picture_of(2, 200), [](const Rendered&) {});
  std::vector<std::uint64_t> drawn;
  while (const auto order = wide.next()) {
    drawn.push_back(order->account);
    wide.over(*order, rendered_text("p"));
  }
  EXPECT_EQ(drawn, (std::vector<std::uint64_t>{1, 2, 1, 1}));
}

TEST_F(RendersInLine, AnAccountThatFillsTheLineMakesRoomForOthers) {
  RenderLine wide(1, 6, 1000);
  std::map<std::uint64_t, int> refused;
  const auto ask_for = [&](std::uint64_t account, int width) {
    return wide.ask(picture_of(account, width), [&refused, account](const Rendered& r) {
      if (r.code == Code::dienst_ueberlastet) ++refused[account];
    });
  };
  for (int width = 200; width < 300; ++width) {
    const bool room = ask_for(1, width);
    if (width == 200) {
      EXPECT_TRUE(wide.next()) << "one is being drawn";
    }
    EXPECT_EQ(room, width < 207) << "alone it has all places";
  }
  for (int width = 200; width < 203; ++width) EXPECT_TRUE(ask_for(2, width));
  EXPECT_EQ(refused[1], 3) << "its newest are answered that there is no room";
  EXPECT_FALSE(ask_for(2, 203)) << "half of the line each";
  EXPECT_FALSE(ask_for(1, 300));
  EXPECT_TRUE(ask_for(3, 200)) << "and a third one gets in";
  EXPECT_EQ(wide.waiting(), 6U);
}

TEST_F(RendersInLine, RemembersWhatItBroughtUpToItsSize) {
  ask(picture(200));
  draw(std::string(600, 'a'));
  ask(picture(201));
  draw(std::string(600, 'b'));
  told.clear();
  ask(picture(201));
  EXPECT_EQ(told, std::vector<std::string>{std::string(600, 'b')}) << "at once";
  ask(picture(200));
  EXPECT_EQ(told.size(), 1U) << "it had to make room";
  EXPECT_TRUE(line.next());
}

TEST_F(RendersInLine, RemembersNeitherFailuresNorWhatIsMadeToBeStored) {
  ask(picture(200));
  line.over(*line.next(), {.ok = false, .code = Code::interner_fehler, .body = {}});
  EXPECT_EQ(told, std::vector<std::string>{"interner_fehler"});
  ask(picture(200));
  EXPECT_TRUE(line.next()) << "the failure is tried again";
  RenderOrder anew = picture(201);
  anew.anew = true;
  RenderLine other(1, 2, 1000);
  for (int i = 0; i < 2; ++i) {
    other.ask(anew, [](const Rendered&) {});
    const auto order = other.next();
    ASSERT_TRUE(order);
    other.over(*order, rendered_text("p"));
  }
}

TEST_F(RendersInLine, TellsEveryTwoPicturesApart) {
  std::vector<RenderOrder> orders(8, picture(200));
  orders[0].account = 9;
  orders[1].project = 9;
  orders[2].version = 9;
  orders[3].kind = MediaKind::surface_image;
  orders[4].surface = 9;
  orders[5].png = true;
  orders[6].width_px = 9;
  RenderLine wide(20, 20, 1000);
  int drawings = 0;
  for (const RenderOrder& order : orders) {
    wide.ask(order, [](const Rendered&) {});
    drawings += wide.next().has_value();
  }
  EXPECT_EQ(drawings, 8);
}

/// Draws when it is told to, by an order of its own; dies when it is asked for the width 666.
class PatientRenderer : public Renderer::base {
 public:
  static constexpr auto kFinish = MediaKind::listing;
  PatientRenderer(caf::actor_config& config, std::vector<Renderer>& drawing)
      : Renderer::base(config), drawing_(drawing) {}
  void on_exit() override { promise_ = {}; }

 private:
  behavior_type make_behavior() override {
    return {[this](const RenderOrder& order) -> caf::result<Rendered> {
      if (order.kind == kFinish) {
        promise_.deliver(rendered_text(std::to_string(width_px_)));
        return Rendered{};
      }
      promise_ = make_response_promise<Rendered>();
      width_px_ = order.width_px;
      if (width_px_ == 666)
        quit(caf::exit_reason::unhandled_exception);
      else
        drawing_.emplace_back(caf::actor_cast<Renderer>(this));
      return promise_;
    }};
  }
  std::vector<Renderer>& drawing_;  // those that draw, in the order in which they began
  caf::typed_response_promise<Rendered> promise_;
  int width_px_ = 0;
};

class RenderersTest : public ::testing::Test {
 protected:
  RenderersTest() {
    options.renderers = 2;
    options.renders_waiting_max = 3;
  }
  ~RenderersTest() override {
    drawing.clear();
    if (renderers_) caf::anon_send_exit(renderers_, caf::exit_reason::kill);
    renderers_ = nullptr;
    run();
  }
  std::shared_ptr<std::string> ask(int width_px) {
    if (!renderers_)
      renderers_ = system_.spawn<RenderersActor>(options, RenderersActor::Spawn([this] {
                                                   ++spawned;
                                                   return system_.spawn<PatientRenderer>(drawing);
                                                 }));
    auto told = std::make_shared<std::string>("nothing yet");
    system_.spawn([told, target = renderers_, width_px](caf::event_based_actor* self) {
      self->request(target, caf::infinite, Ticket{}, picture(width_px)).then([told](const Answer& answer) {
        if (const auto* refusal = caf::get_if<Refusal>(&answer.outcome))
          *told = name_of(refusal->code) + (" " + std::to_string(refusal->retry_after_s));
        else
          *told = *caf::get<Medium>(answer.outcome).body.text;
      });
    });
    run();
    return told;
  }
  /// The n-th drawing that is under way is done.
  void finish(std::size_t n) {
    caf::anon_send(drawing.at(n), RenderOrder{.kind = PatientRenderer::kFinish});
    drawing.erase(drawing.begin() + static_cast<std::ptrdiff_t>(n));
    run();
  }
  void run() {
    auto& scheduler = dynamic_cast<caf::scheduler::test_coordinator&>(system_.scheduler());
    while (scheduler.try_run_once()) {
    }
  }

  ActorOptions options;
  std::vector<Renderer> drawing;
  int spawned = 0;

 private:
  test::TestingConfig config_;
  caf::actor_system system_{config_};
  Renderers renderers_;
};

TEST_F(RenderersTest, DrawAsManyAtOnceAsThereAre) {
  std::vector<std::shared_ptr<std::string>> told;
  for (const int width : {200, 201, 202}) told.push_back(ask(width));
  EXPECT_EQ(drawing.size(), 2U);
  finish(1);
  EXPECT_EQ(*told[1], "201");
  EXPECT_EQ(drawing.size(), 2U) << "the third has begun";
  EXPECT_EQ(*told[0], "nothing yet");
}

TEST_F(RenderersTest, RefuseWithATimeToComeBackWhenTheLineIsFull) {
  std::vector<std::shared_ptr<std::string>> told;
  for (int width = 200; width < 206; ++width) told.push_back(ask(width));
  EXPECT_EQ(*told.back(), "dienst_ueberlastet 10");
  while (!drawing.empty()) finish(0);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(*told[i], std::to_string(200 + i));
  EXPECT_EQ(*ask(200), "200") << "from memory";
}

TEST_F(RenderersTest, AreReplacedWhenOneDiesAndOnlyItsOrderFails) {
  const auto before = ask(200);
  const auto deadly = ask(666);
  EXPECT_EQ(*deadly, "interner_fehler 0");
  EXPECT_EQ(spawned, 3);
  const auto after = ask(201);
  ASSERT_EQ(drawing.size(), 2U) << "both draw";
  finish(0);
  finish(0);
  EXPECT_EQ(*before, "200");
  EXPECT_EQ(*after, "201");
}

}  // namespace
