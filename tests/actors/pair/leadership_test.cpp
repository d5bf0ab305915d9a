// The rules by which a pair decides who leads, under a random scheduler. It pauses members, delays and loses
// messages, lets leases end, and silences etcd. Whatever happens: no two members answer at one
// time, nothing acknowledged is missing where somebody leads later, and epochs that acknowledge only grow.
#include "tests/actors/pair/leadership_world.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace rules_under_trial {

TEST(Leadership, InAnEtcdThatCameBackEmptyBeginsAboveTheEpochsThatTheMembersKnow) {
  Leadership rules({.me = "a"}, 0);
  rules.on(StoreWhole{true, 7}, 0);
  rules.on(actors::leadership::Forced{}, 20'000);
  rules.on(Tick{}, 20'000);
  const auto actions = rules.on(Seen{{}}, 20'001);
  ASSERT_EQ(actions.size(), 1u);
  ASSERT_TRUE(std::holds_alternative<Take>(actions.front()));
  EXPECT_EQ(std::get<Take>(actions.front()).record.epoch, 8u);
}

TEST(Leadership, NeverTwoAnswerAndNothingAcknowledgedIsMissingWhateverHappens) {
  const Walk walked = walk(steps_wanted(), {}, 1);
  for (std::size_t i = 0; i < std::min<std::size_t>(walked.faults.size(), 5); ++i)
    ADD_FAILURE() << walked.faults[i];
  std::cout << steps_wanted() << " steps, " << walked.acknowledged << " batches acknowledged, "
            << walked.leads << " times somebody took the lead, " << walked.ends << " ended, "
            << walked.regains << " leases regained, " << walked.without_etcd
            << " steps served without etcd\n";
  EXPECT_GT(walked.acknowledged, steps_wanted() / 20);
  EXPECT_GT(walked.leads, steps_wanted() / 10'000);
  EXPECT_GT(walked.ends, 0U);
  EXPECT_GT(walked.regains, 0U);
  EXPECT_GT(walked.without_etcd, 0U);
}

TEST(Leadership, TheSameHoldsForWhoGoesOnAloneWithoutEtcd) {
  const Walk walked = walk(steps_wanted() / 5, {.available = true}, 5'001);
  for (std::size_t i = 0; i < std::min<std::size_t>(walked.faults.size(), 5); ++i)
    ADD_FAILURE() << walked.faults[i];
}

TEST(Leadership, ThePrimaryWritesItsRecordAnewInAnEtcdThatCameBackEmptyAndNothingIsLost) {
  const Walk walked = walk(steps_wanted(), {.empties = true}, 15'001);
  for (std::size_t i = 0; i < std::min<std::size_t>(walked.faults.size(), 5); ++i)
    ADD_FAILURE() << walked.faults[i];
  EXPECT_GT(walked.written_anew, steps_wanted() / 20'000);
  EXPECT_GT(walked.acknowledged, steps_wanted() / 20);
}

TEST(Leadership, BeginsAboveTheEpochOfThePrimaryThatItHasAnswered) {
  Leadership rules({.me = "a"}, 0);
  rules.on(StoreWhole{true, 7}, 0);
  rules.on(Heard{9}, 1'000);
  rules.on(actors::leadership::Forced{}, 20'000);
  const auto actions = rules.on(Seen{{}}, 20'001);
  ASSERT_EQ(actions.size(), 1U);
  EXPECT_EQ(std::get<Take>(actions.front()).record.epoch, 10U);
}

TEST(Leadership, APrimaryThatGoesOnAloneDoesNotWriteItsRecordAnewAndSaysSo) {
  Leadership rules({.me = "a", .available = true}, 0);
  rules.on(StoreWhole{true, 3}, 0);
  const ClusterRecord record{3, "a", {"a"}};
  ASSERT_EQ(rules.on(Seen{{record, 7, 0}}, 20'000).size(), 1U);
  ASSERT_EQ(rules.on(Taken{Outcome::done, 20'000, 9, 8}, 20'001).size(), 1U);
  EXPECT_FALSE(rules.record_lost());
  EXPECT_TRUE(rules.on(Renewed{Outcome::refused, 22'000, {}}, 22'001).empty());
  EXPECT_TRUE(rules.on(Seen{{}}, 22'002).empty());
  EXPECT_TRUE(rules.record_lost());
}

TEST(Leadership, TheOthersStayInSyncUntilThePrimaryHasOpenedItsStore) {
  Leadership rules({.me = "b"}, 0);
  rules.on(StoreWhole{true, 3}, 0);
  const auto taken = rules.on(Seen{{ClusterRecord{3, "a", {"a", "b"}}, 7, 0}}, 20'000);
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(std::get<Take>(taken.front()).record.in_sync, (std::vector<std::string>{"b", "a"}));
  ASSERT_EQ(rules.on(Taken{Outcome::done, 20'000, 9, 8}, 20'001).size(), 1U);
  EXPECT_TRUE(rules.on(Tick{}, 20'100).empty());
  rules.on(Opened{}, 20'200);
  const auto alone = rules.on(Tick{}, 20'225);
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_EQ(std::get<SetInSync>(alone.front()).record.in_sync, std::vector<std::string>{"b"});
}

TEST(Leadership, AnOrderIsFollowedSoonOrNeverAndOnlyWithDataAndNobodyGoesByAnOlderRecordOrAsksOnEnd) {
  const Walk walked = walk(steps_wanted() / 2, {.disasters = true}, 10'001);
  for (std::size_t i = 0; i < std::min<std::size_t>(walked.faults.size(), 5); ++i)
    ADD_FAILURE() << walked.faults[i];
  EXPECT_GT(walked.leads, steps_wanted() / 20'000);
}

TEST(Leadership, AMemberByTheOthersNameIsNotFollowedAndLosesNothing) {
  const Walk walked = walk(steps_wanted() / 5, {.namesakes = true}, 20'001);
  for (std::size_t i = 0; i < std::min<std::size_t>(walked.faults.size(), 5); ++i)
    ADD_FAILURE() << walked.faults[i];
  EXPECT_GT(walked.acknowledged, 0U);
  EXPECT_FALSE(walk(steps_wanted(), {.namesakes = true, .refuses_namesakes = false}, 20'001).faults.empty())
      << "the walk would find nothing";
}

TEST(Leadership, AForcedMemberWithoutDataDoesNotLeadWhereThereIsAPair) {
  Leadership rules({.me = "b"}, 0);
  const ClusterRecord record{3, "a", {"a"}};
  rules.on(StoreWhole{false, 0, false}, 0);
  rules.on(Seen{{record, 7, 0}}, 20'000);
  EXPECT_EQ(rules.force_obstacle(20'000), "this member has no data yet");
  rules.on(actors::leadership::Forced{}, 20'000);
  EXPECT_TRUE(rules.on(Seen{{record, 7, 0}}, 20'001).empty());
  rules.on(StoreWhole{true, 3, true}, 20'010);
  EXPECT_TRUE(rules.on(Seen{{record, 7, 0}}, 20'020).empty()) << "and the order is gone";
  rules.on(actors::leadership::Forced{}, 20'030);
  EXPECT_EQ(rules.on(Seen{{record, 7, 0}}, 20'031).size(), 1U);
}

TEST(Leadership, WithASilentEtcdNobodyIsForcedAndAnOldOrderIsNotFollowed) {
  Leadership rules({.me = "a"}, 0);
  rules.on(StoreWhole{true, 3}, 0);
  EXPECT_EQ(rules.force_obstacle(1), "etcd does not answer");
  rules.on(actors::leadership::Forced{}, 1);
  rules.on(Tick{}, 1);
  rules.on(NotSeen{}, 1'000);
  EXPECT_TRUE(rules.on(Seen{{}}, 7'000).empty());
}

TEST(Leadership, AnOrderIsTriedAgainWhereEtcdFailed) {
  for (const Outcome failed : {Outcome::refused, Outcome::unknown}) {
    Leadership rules({.me = "a"}, 0);
    rules.on(Seen{{}}, 1'000);
    rules.on(actors::leadership::Forced{}, 1'001);
    rules.on(Tick{}, 1'002);
    ASSERT_EQ(rules.on(Seen{{}}, 1'003).size(), 1U);
    rules.on(Taken{failed, 1'003, 0, 0}, 1'500);
    rules.on(Tick{}, 3'500);
    ASSERT_EQ(rules.on(Seen{{}}, 3'501).size(), 1U);
    EXPECT_EQ(rules.on(Taken{Outcome::done, 3'501, 9, 4}, 3'502).size(), 1U) << "it leads";
  }
}

TEST(Leadership, ARefusedTryIsNotRepeatedAtOnce) {
  Leadership rules({.me = "a"}, 0);
  rules.on(StoreWhole{true, 3}, 0);
  const ClusterRecord record{3, "b", {"b", "a"}};
  rules.on(Tick{}, 20'000);
  ASSERT_EQ(rules.on(Seen{{record, 7, 0}}, 20'001).size(), 1U);
  EXPECT_TRUE(rules.on(Taken{Outcome::refused, 20'001, 0, 0}, 20'002).empty());
  EXPECT_TRUE(rules.on(Tick{}, 20'100).empty());
  EXPECT_EQ(rules.on(Tick{}, 20'300).size(), 1U);
}

TEST(Leadership, AnEtcdOfAnEarlierEpochMakesNobodyLead) {
  Leadership rules({.me = "a"}, 0);
  rules.on(StoreWhole{true, 5}, 0);
  EXPECT_TRUE(rules.on(Seen{{ClusterRecord{4, "a", {"a"}}, 7, 0}}, 20'000).empty());
  EXPECT_NE(rules.obstacle(20'000).find("older than this member's data"), std::string::npos);
}

TEST(Leadership, TheWalkFindsClocksThatDifferByMoreThanTheMargin) {
  const Walk walked = walk(steps_wanted(), {.clock_error = 0.6}, 1);
  EXPECT_FALSE(walked.faults.empty()) << "the test above would find nothing";
}

}  // namespace rules_under_trial
