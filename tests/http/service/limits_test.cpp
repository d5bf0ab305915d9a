// Limits and quotas as a client meets them.
#include <gtest/gtest.h>

#include "tests/http/service/running_service.hpp"

namespace {

using test::RunningService;

TEST(Limits, ACallingAddressIsHeldToItsHourWhateverTheKeyAndThePage) {
  RunningService service({"--limits.address-per-hour=3"});
  const std::string key = service.new_key();
  EXPECT_EQ(service.get("/lastprofile").status, 200);
  EXPECT_EQ(service.get("/projekte", key).status, 200);
  EXPECT_EQ(service.get("/projekte").status, 401) << "a request without a key counts as well";
  for (const std::string path : {"/projekte", "/lastprofile"}) {
    const auto refused = service.get(path, key);
    EXPECT_EQ(refused.status, 429) << path;
    EXPECT_EQ(refused.code(), "ratengrenze");
    const int wait_s = std::stoi(refused.headers.at("retry-after"));
    EXPECT_GT(wait_s, 3500);
    EXPECT_LE(wait_s, 3600);
    EXPECT_NE(refused.json()["fehler"]["tu"].get<std::string>().find(std::to_string(wait_s)),
              std::string::npos);
  }
}

TEST(Limits, AnAccountIsHeldToItsHourAndSeveralKeysDoNotRaiseIt) {
  RunningService service({"--limits.status-per-hour=2"});
  const std::string key = service.new_key();
  const std::string second =
      test::run_roofd({"key", "add", "--data-dir=" + service.data_dir(), "--account=1", "--name=b"}).out;
  const auto first_answer = service.get("/projekte", key);
  EXPECT_NE(first_answer.headers.at("ratelimit-policy").find("\"konto\";q=2;w=3600"), std::string::npos);
  EXPECT_NE(first_answer.headers.at("ratelimit-policy").find("\"adresse-tag\";q=5000;w=86400"),
            std::string::npos);
  EXPECT_NE(first_answer.headers.at("ratelimit").find("\"konto\";r=1;"), std::string::npos);
  EXPECT_EQ(service.get("/projekte", second.substr(0, second.find('\n'))).status, 200);
  EXPECT_EQ(service.get("/projekte", key).code(), "ratengrenze");
  EXPECT_EQ(service.create(key, 0).status, 202) << "creations have a limit of their own";
}

TEST(Limits, ATestAccountHasOneAddress) {
  RunningService service;
  const std::string key = service.new_key("test");
  EXPECT_EQ(service.create(key, 0).status, 202);
  const auto second = service.create(key, 1);
  EXPECT_EQ(second.status, 403);
  EXPECT_EQ(second.code(), "testkontingent_erschoepft");
  EXPECT_EQ(service.create(key, 0).status, 409) << "the known address is still said to exist";
}

}  // namespace
