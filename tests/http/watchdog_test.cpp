// systemd's watchdog is fed while the actors answer, and not when one hangs. The test is systemd: it holds
// the socket to which the program would tell.
#include "http/operators/watchdog.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <future>

#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "tests/http/service/running_service.hpp"

namespace {

using namespace std::chrono_literals;
using Hanging = caf::typed_actor<caf::reacts_to<actors::next_atom>>;

/// Hangs in its message until it is let go.
class HangingActor : public actors::Measured<Hanging::base> {
 public:
  HangingActor(caf::actor_config& config, std::shared_future<void> go)
      : Measured(config, "hanging", actors::private_meters()), go_(std::move(go)) {}
  const char* name() const override { return "hanging"; }

 private:
  behavior_type make_behavior() override {
    return {[this](actors::next_atom) { go_.wait(); }};
  }
  std::shared_future<void> go_;
};

class Systemd {
 public:
  Systemd() : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un place{};
    place.sun_family = AF_UNIX;
    folder_.path("notify").copy(place.sun_path, sizeof place.sun_path - 1);
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&place), sizeof place), 0);
    ::setenv("NOTIFY_SOCKET", place.sun_path, 1);
  }
  ~Systemd() {
    ::unsetenv("NOTIFY_SOCKET");
    ::close(socket_);
  }
  Systemd(const Systemd&) = delete;
  Systemd& operator=(const Systemd&) = delete;
  /// How often it was fed in this time.
  int fed_in(std::chrono::milliseconds time) const {
    int times = 0;
    for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) {
      char text[64];
      if (::recv(socket_, text, sizeof text, MSG_DONTWAIT) > 0)
        ++times;
      else
        ::usleep(5000);
    }
    return times;
  }

 private:
  test::TemporaryFolder folder_;
  int socket_;
};

TEST(Watchdog, IsFedWhileTheActorsAnswerAndNotWhenOneHangs) {
  const Systemd systemd;
  std::promise<void> go;
  caf::actor_system_config config;
  config.add_message_types<caf::id_block::roof>();
  caf::actor_system system(config);
  const auto hanging = system.spawn<HangingActor>(go.get_future().share());
  {
    const http::Watchdog watchdog({caf::actor_cast<caf::actor>(hanging)}, {});
    EXPECT_GE(systemd.fed_in(1200ms), 2);
    caf::anon_send(hanging, actors::next_atom::value);
    systemd.fed_in(600ms);  // the round that was under way
    EXPECT_EQ(systemd.fed_in(1200ms), 0);
    EXPECT_EQ(watchdog.fault(), std::nullopt) << "/readyz gives it five seconds";
    go.set_value();
    EXPECT_GE(systemd.fed_in(1500ms), 1);
  }
  caf::anon_send_exit(hanging, caf::exit_reason::user_shutdown);
}

}  // namespace
