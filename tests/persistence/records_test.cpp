// The records' bytes: nothing lost on the way through, nothing read that is not understood.
#include "persistence/records.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace {

using namespace persistence;

const Account kAccount{42, "jörg@beispiel.example", "test", 1'700'000'000'000, 1'702'592'000'000};
const Key kKey{42, "Schlüssel für's Büro", std::string("\x00\xff\x80 fingerprint of thirty-two b.", 32), 5,
               6};
const Project kProject{std::numeric_limits<std::uint64_t>::max(),
                       42,
                       "Haus \xe2\x82\xac",
                       "Hauptstr. 1",
                       "Hauptstraße",
                       "1a",
                       "01010",
                       "Wien",
                       "AT",
                       -16.25,
                       1e-300,
                       100'000'000,
                       "H0",
                       -1};
const persistence::Run kRun{
    7,   8,    9, RunState::failed, "Dachflächen",  3,   8,     "kein_dach", "Kein Dach.", 1, 2, 3,
    0.5, "L2", 4, "c0ffee",         "no roof here", 4.4, 4510.5};

void expect_same(const Project& a, const Project& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.account, b.account);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.address_sent, b.address_sent);
  EXPECT_EQ(a.street, b.street);
  EXPECT_EQ(a.house_number, b.house_number);
  EXPECT_EQ(a.postcode, b.postcode);
  EXPECT_EQ(a.town, b.town);
  EXPECT_EQ(a.country, b.country);
  EXPECT_EQ(a.lon_deg, b.lon_deg);
  EXPECT_EQ(a.lat_deg, b.lat_deg);
  EXPECT_EQ(a.consumption_kwh, b.consumption_kwh);
  EXPECT_EQ(a.load_profile, b.load_profile);
  EXPECT_EQ(a.created_ms, b.created_ms);
}

void expect_same(const persistence::Run& a, const persistence::Run& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.project, b.project);
  EXPECT_EQ(a.account, b.account);
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.steps_done, b.steps_done);
  EXPECT_EQ(a.steps_total, b.steps_total);
  EXPECT_EQ(a.failure_code, b.failure_code);
  EXPECT_EQ(a.failure_text, b.failure_text);
  EXPECT_EQ(a.queued_ms, b.queued_ms);
  EXPECT_EQ(a.started_ms, b.started_ms);
  EXPECT_EQ(a.ended_ms, b.ended_ms);
  EXPECT_EQ(a.consumption_kwh, b.consumption_kwh);
  EXPECT_EQ(a.load_profile, b.load_profile);
  EXPECT_EQ(a.scene_bytes, b.scene_bytes);
  EXPECT_EQ(a.request_id, b.request_id);
  EXPECT_EQ(a.failure_reason, b.failure_reason);
  EXPECT_EQ(a.design_kwp, b.design_kwp);
  EXPECT_EQ(a.design_kwh, b.design_kwh);
}

TEST(Records, GiveAPasskeyBackAsItWas) {
  const persistence::Passkey passkey{
      std::string("\0\xff id", 5), std::string(91, '\x80'), 0xFFFFFFFF, "Telefon", 1, 2};
  const auto read = persistence::decode_passkey(encode(passkey));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->credential_id, passkey.credential_id);
  EXPECT_EQ(read->public_key_spki, passkey.public_key_spki);
  EXPECT_EQ(read->counter, passkey.counter);
  EXPECT_EQ(read->name, passkey.name);
  EXPECT_EQ(read->created_ms, 1);
  EXPECT_EQ(read->used_ms, 2);
  EXPECT_FALSE(persistence::decode_passkey("no record"));
}

TEST(Records, GiveAMailTokenBackAsItWas) {
  const MailToken token{TokenPurpose::new_email, 1,      2, "Jörg@b.example", "J@b.example",
                        "jörg@b.example",        "hash", 3};
  const auto read = decode_mail_token(encode(token));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->purpose, token.purpose);
  EXPECT_EQ(read->expires_ms, 1);
  EXPECT_EQ(read->account, 2U);
  EXPECT_EQ(read->email_shown, token.email_shown);
  EXPECT_EQ(read->email_sending, token.email_sending);
  EXPECT_EQ(read->email_key, token.email_key);
  EXPECT_EQ(read->password_hash, token.password_hash);
  EXPECT_EQ(read->password_set_ms, 3);
}

TEST(Records, OfAMailTokenThatAnOlderProgramWroteKnowNoPassword) {
  const MailToken older{TokenPurpose::new_password, 1, 2, "a", "b", "c", {}, 0};  // zero is not stored
  MailToken newer = older;
  newer.password_set_ms = 3;
  EXPECT_TRUE(encode(newer).starts_with(encode(older))) << "fields are only ever added";
  const auto read = decode_mail_token(encode(older));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->password_set_ms, 0);
}

TEST(Records, GiveAnAccountBackAsItWas) {
  const auto read = decode_account(encode(kAccount));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->id, kAccount.id);
  EXPECT_EQ(read->email, kAccount.email);
  EXPECT_EQ(read->plan, kAccount.plan);
  EXPECT_EQ(read->created_ms, kAccount.created_ms);
  EXPECT_EQ(read->expires_ms, kAccount.expires_ms);
}

TEST(Records, GiveAKeyBackAsItWas) {
  const auto read = decode_key(encode(kKey));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->account, kKey.account);
  EXPECT_EQ(read->name, kKey.name);
  EXPECT_EQ(read->fingerprint, kKey.fingerprint);
  EXPECT_EQ(read->created_ms, kKey.created_ms);
  EXPECT_EQ(read->revoked_ms, kKey.revoked_ms);
  EXPECT_FALSE(read->revoked);
  Key revoked = kKey;
  revoked.revoked = true;
  EXPECT_TRUE(decode_key(encode(revoked))->revoked);
}

TEST(Records, GiveAProjectBackAsItWas) {
  const auto read = decode_project(encode(kProject));
  ASSERT_TRUE(read);
  expect_same(*read, kProject);
}

TEST(Records, GiveARunBackAsItWasInEveryState) {
  for (const RunState state : {RunState::waiting, RunState::running, RunState::finished, RunState::failed}) {
    persistence::Run run = kRun;
    run.state = state;
    const auto read = decode_run(encode(run));
    ASSERT_TRUE(read);
    expect_same(*read, run);
  }
}

TEST(Records, OfARunThatAnOlderProgramWroteHaveNeitherRequestNorReason) {
  persistence::Run older = kRun;
  older.request_id.clear();  // an empty field is not stored, nor is zero
  older.failure_reason.clear();
  older.design_kwp = older.design_kwh = 0;
  persistence::Run newer = kRun;
  EXPECT_TRUE(encode(newer).starts_with(encode(older))) << "fields are only ever added";
  const auto read = decode_run(encode(older));
  ASSERT_TRUE(read);
  expect_same(*read, older);
}

TEST(Records, GiveAWindowBackAsItWas) {
  for (const std::vector<std::int64_t>& times : std::vector<std::vector<std::int64_t>>{
           {},
           {0},
           {1'700'000'000'000, 1'700'000'000'000, 1'700'000'004'000},
           {5, 3, -7},
           {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max()}}) {
    const auto read = decode_window(encode(Window{times}));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->times_ms, times);
  }
}

TEST(Records, OfAWindowAreSmall) {
  Window steady;
  for (std::int64_t i = 0; i < 900; ++i) steady.times_ms.push_back(1'700'000'000'000 + 4000 * i);
  EXPECT_LT(encode(steady).size(), 2000U);
}

TEST(Records, GiveEmptyValuesBack) {
  EXPECT_TRUE(decode_account(encode(Account{})));
  EXPECT_TRUE(decode_key(encode(Key{})));
  ASSERT_TRUE(decode_project(encode(Project{})));
  expect_same(*decode_project(encode(Project{})), Project{});
  ASSERT_TRUE(decode_run(encode(persistence::Run{})));
  expect_same(*decode_run(encode(persistence::Run{})), persistence::Run{});
}

TEST(Records, GiveTextBackThatIsNoUtf8) {
  // A record that is stored but can never be read again would hide its project, or close its account.
  Project project = kProject;
  project.name = "\xff\xfe\xc3";
  project.address_sent =
      "Hauptstra\xdf"
      "e 1";
  const auto read = decode_project(encode(project));
  ASSERT_TRUE(read);
  expect_same(*read, project);
  Key key = kKey;
  key.name = "B\xfcro";
  ASSERT_TRUE(decode_key(encode(key)));
  Account account = kAccount;
  account.email = "j\xf6rg@beispiel.example";
  ASSERT_TRUE(decode_account(encode(account)));
  persistence::Run run = kRun;
  run.failure_text = "\x80";
  ASSERT_TRUE(decode_run(encode(run)));
}

TEST(Records, AreRefusedFromANewerVersionAndWithoutOne) {
  // Field 1 is the version in every record: tag 0x08, then the number.
  const std::string bytes = encode(kProject);
  ASSERT_EQ(bytes.substr(0, 2), std::string("\x08\x01"));
  const std::string rest = bytes.substr(2);
  EXPECT_TRUE(decode_project("\x08\x01" + rest));
  EXPECT_FALSE(decode_project("\x08\x02" + rest));
  EXPECT_FALSE(decode_project("\x08\x7f" + rest));
  EXPECT_FALSE(decode_project(std::string("\x08\x00", 2) + rest));
  EXPECT_FALSE(decode_project(rest));
  EXPECT_FALSE(decode_account(""));
  EXPECT_FALSE(decode_key(""));
  EXPECT_FALSE(decode_run(""));
}

TEST(Records, AreReadWithFieldsThatALaterProgramAdded) {
  const std::string added = "\xfa\x01\x03new";  // field 31, three bytes
  const auto read = decode_project(encode(kProject) + added);
  ASSERT_TRUE(read);
  expect_same(*read, kProject);
}

TEST(Records, AreRefusedInAStateThatDoesNotExist) {
  persistence::Run run = kRun;
  run.state = static_cast<RunState>(4);
  EXPECT_FALSE(decode_run(encode(run)));
  run.state = static_cast<RunState>(-1);
  EXPECT_FALSE(decode_run(encode(run)));
}

TEST(Records, CutShortAreNeverTakenForWhole) {
  const std::string bytes = encode(kProject);
  const std::string whole = encode(*decode_project(bytes));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const auto read = decode_project(bytes.substr(0, length));
    EXPECT_FALSE(read && encode(*read) == whole) << length;
  }
}

TEST(Records, OfRandomBytesDoNotHarm) {
  std::mt19937 random(8);
  int read = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string bytes = encode(kRun);
    if (i % 2 == 0) bytes.resize(random() % 200);
    for (int flips = 0; flips < 5 && !bytes.empty(); ++flips)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    read += decode_account(bytes) ? 1 : 0;
    read += decode_key(bytes) ? 1 : 0;
    read += decode_window(bytes) ? 1 : 0;
    read += decode_project(bytes) ? 1 : 0;
    if (const auto run = decode_run(bytes)) {
      ++read;
      ASSERT_GE(static_cast<int>(run->state), 0);
      ASSERT_LE(static_cast<int>(run->state), 3);
    }
  }
  EXPECT_GT(read, 0);  // some of them are read to the end
}

}  // namespace
