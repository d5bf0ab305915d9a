// The waiting line and the slots, as plain state. A free slot goes to the longest-waiting run whose client
// asked for it in the last minute; if there is none, to the longest-waiting run. Every operation is O(log n)
// in the line's length. A repeated question only notes its time, so a status query costs the same with ten
// thousand waiting runs as with ten.
#pragma once
#include <boost/multi_index/hashed_index.hpp>
#include <boost/multi_index/member.hpp>
#include <boost/multi_index/ranked_index.hpp>
#include <boost/multi_index/tag.hpp>
#include <boost/multi_index_container.hpp>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace actors {

class SlotLine {
 public:
  SlotLine(std::uint32_t slots, std::uint32_t waiting_max) : slots_(slots), waiting_max_(waiting_max) {}

  /// Stand in line, ordered by run number, or ask again. False: the run already has a slot; nothing changes.
  bool ask(std::uint64_t run, std::int64_t now_ms);
  /// The runs whose turn has come; they have a slot from now on.
  std::vector<std::uint64_t> grant(std::int64_t now_ms);
  /// The run's slot is free again. Does nothing when the run has none.
  void release(std::uint64_t run) { computing_.erase(run); }
  /// The run is not waiting any more. Does nothing when it does not wait.
  void leave(std::uint64_t run);

  /// How many runs stand before this one; 0 when it is not in line.
  std::size_t ahead_of(std::uint64_t run) const;
  std::size_t waiting() const { return waiting_.size(); }
  std::size_t computing() const { return computing_.size(); }
  std::uint32_t slots() const { return slots_; }
  std::uint32_t room() const {
    return waiting_max_ - static_cast<std::uint32_t>(std::min<std::size_t>(waiting_max_, waiting_.size()));
  }

 private:
  struct Waiting {
    std::uint64_t run;
    mutable std::int64_t asked_ms = 0;
    mutable bool wanted = false;            // asked for in the last minute, as of the last check
    mutable std::int64_t looked_at_ms = 0;  // its key in looks_
  };
  void forget_questions(const Waiting& waiting);
  void forget_old_questions(std::int64_t now_ms);
  void take_back_the_future(std::int64_t now_ms);
  /// Sets the next check of whether the run is still wanted: a minute after `since_ms`.
  void look_again(const Waiting& waiting, std::int64_t since_ms);

  std::uint32_t slots_;
  std::uint32_t waiting_max_;
  using Run = boost::multi_index::member<Waiting, std::uint64_t, &Waiting::run>;
  struct ByRun;    // finds a run
  struct InOrder;  // counts the runs before it
  boost::multi_index_container<Waiting,
                               boost::multi_index::indexed_by<
                                   boost::multi_index::hashed_unique<boost::multi_index::tag<ByRun>, Run>,
                                   boost::multi_index::ranked_unique<boost::multi_index::tag<InOrder>, Run>>>
      waiting_;
  std::set<std::uint64_t> wanted_;  // waiting runs that were asked for in the last minute
  // (time, run) of wanted runs: a minute after that time it is checked whether the run is still wanted.
  std::set<std::pair<std::int64_t, std::uint64_t>> looks_;
  std::int64_t last_look_ms_ = 0;
  std::set<std::uint64_t> computing_;
};

}  // namespace actors
