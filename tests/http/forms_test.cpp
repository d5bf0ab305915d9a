// From bodies and queries to commands: every field's bounds, in characters and not in bytes.
#include <gtest/gtest.h>

#include "http/api/forms.hpp"

namespace {

using actors::Code;

std::string times(std::size_t count, const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

http::Request post(std::string body, std::string content_type = "application/json") {
  http::Request request;
  request.method = "POST";
  if (!content_type.empty()) request.headers.emplace_back("content-type", std::move(content_type));
  request.body = std::move(body);
  return request;
}

http::Request get(std::string_view target) {
  http::Request request;
  request.method = "GET";
  http::read_target(target, request);
  return request;
}

/// A whole body with one field's JSON put in its place; "" leaves the field out.
std::string body_with(const std::string& field, const std::string& json) {
  std::string out;
  for (const auto& [name, value] : {std::pair<std::string, std::string>{"name", "\"Haus\""},
                                    {"adresse", "\"Weg 1, 1010 Wien\""},
                                    {"jahresverbrauch_kwh", "4500"},
                                    {"lastprofil", "\"H0\""}}) {
    const std::string& chosen = name == field ? json : value;
    if (!chosen.empty()) out += (out.empty() ? "\"" : ",\"") + name + "\":" + chosen;
  }
  return "{" + out + "}";
}

/// The code of a refused form; nothing when it passes.
std::optional<Code> refused(const actors::Command& command) {
  const auto* refusal = caf::get_if<actors::Refusal>(&command);
  return refusal ? std::optional(refusal->code) : std::nullopt;
}
std::string sentence(const actors::Command& command) { return caf::get<actors::Refusal>(command).text; }

std::optional<Code> created(const std::string& field, const std::string& json) {
  return refused(http::read_create_project(post(body_with(field, json))));
}

TEST(CreateProjectForm, ReadsAWholeBody) {
  const auto command = http::read_create_project(post(body_with("", "")));
  const auto& order = caf::get<actors::CreateProject>(command);
  EXPECT_EQ(order.name, "Haus");
  EXPECT_EQ(order.address, "Weg 1, 1010 Wien");
  EXPECT_EQ(order.consumption_kwh, 4500);
  EXPECT_EQ(order.load_profile, "H0");
}

TEST(Forms, ThatMayBeginARunCarryTheRequestsId) {
  http::Request request = post(body_with("", ""));
  request.id = "c0ffee";
  EXPECT_EQ(caf::get<actors::CreateProject>(http::read_create_project(request)).request_id, "c0ffee");
  request.body.clear();
  EXPECT_EQ(caf::get<actors::RestartAnalysis>(http::read_restart(request, "17")).request_id, "c0ffee");
  http::Request query = get("/analyse?adresse=Weg+1&verbrauch=4500");
  query.id = "c0ffee";
  EXPECT_EQ(caf::get<actors::SingleCall>(http::read_single_call(query)).project.request_id, "c0ffee");
}

TEST(CreateProjectForm, TakesJsonOnlyUnderItsName) {
  const auto with_type = [](const char* type) {
    return refused(http::read_create_project(post(body_with("", ""), type)));
  };
  for (const char* type :
       {"application/json", "application/json; charset=utf-8", "Application/JSON", " application/json ;x"})
    EXPECT_FALSE(with_type(type)) << type;
  for (const char* type : {"", "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "json",
                           "application/json, text/plain"})
    EXPECT_EQ(with_type(type), Code::inhaltstyp_falsch) << type;
}

TEST(CreateProjectForm, ChecksTypeBeforeSizeAndSizeBeforeJson) {
  const std::string large(http::kBodyMax + 1, 'x');
  EXPECT_EQ(refused(http::read_create_project(post(large, "text/plain"))), Code::inhaltstyp_falsch);
  EXPECT_EQ(refused(http::read_create_project(post(large))), Code::anfrage_zu_gross);
  EXPECT_EQ(refused(http::read_create_project(post("x"))), Code::anfrage_ungueltig);
}

TEST(CreateProjectForm, RefusesWhatIsNoJsonObject) {
  for (const char* body : {"", "{", "null", "[]", "\"text\"", "42", "{\"a\":1}}", "{'name':1}",
                           "{\"name\":\"\xff\"}", "{\"name\":\"\\ud800\"}", "{\"jahresverbrauch_kwh\":NaN}",
                           "{\"jahresverbrauch_kwh\":Infinity}", "{\"name\":\"a\",}"})
    EXPECT_EQ(refused(http::read_create_project(post(body))), Code::anfrage_ungueltig) << body;
}

TEST(CreateProjectForm, RefusesABodyThatIsNestedTooDeeply) {
  const std::string deep =
      "{\"x\":" + times(1000, "[") + times(1000, "]") + "," + body_with("", "").substr(1);
  EXPECT_EQ(refused(http::read_create_project(post(deep))), Code::anfrage_ungueltig);
  const std::string shallow = "{\"x\":[[[1]]]," + body_with("", "").substr(1);
  EXPECT_FALSE(refused(http::read_create_project(post(shallow))));
}

TEST(CreateProjectForm, RefusesAFieldThatComesTwice) {
  const std::string twice = "{\"name\":\"a\"," + body_with("", "").substr(1);
  EXPECT_EQ(refused(http::read_create_project(post(twice))), Code::anfrage_ungueltig);
}

TEST(CreateProjectForm, PassesOverFieldsItDoesNotKnow) {
  const std::string more = "{\"farbe\":{\"rot\":[1,2]},\"projekt_id\":7," + body_with("", "").substr(1);
  EXPECT_FALSE(refused(http::read_create_project(post(more))));
}

TEST(CreateProjectForm, NamesTheFieldThatIsMissingOrOfAnotherType) {
  for (const char* field : {"name", "adresse"}) {
    for (const char* json : {"", "null", "7", "[\"a\"]", "true", "\"\"", "\"  \""}) {
      const auto command = http::read_create_project(post(body_with(field, json)));
      EXPECT_EQ(refused(command), Code::anfrage_ungueltig) << field << " " << json;
      EXPECT_NE(sentence(command).find(field), std::string::npos) << sentence(command);
    }
  }
}

TEST(CreateProjectForm, CountsCharactersNotBytes) {
  const std::string umlaut = "\u00fc";    // two bytes
  const std::string roof = "\U0001F3E0";  // four bytes
  EXPECT_FALSE(created("name", "\"" + times(150, umlaut) + "\""));
  EXPECT_EQ(created("name", "\"" + times(151, "a") + "\""), Code::anfrage_ungueltig);
  EXPECT_FALSE(created("adresse", "\"" + times(200, roof) + "\""));
  EXPECT_EQ(created("adresse", "\"" + times(201, "a") + "\""), Code::adresse_zu_lang);
}

TEST(CreateProjectForm, RefusesControlCharactersInTexts) {
  for (const char* field : {"name", "adresse"})
    for (const char* json : {"\"a\\u0000b\"", "\"a\\u0007\"", "\"a\\u007f\""})
      EXPECT_EQ(created(field, json), Code::anfrage_ungueltig) << field << json;
  EXPECT_FALSE(created("adresse", "\"Weg 1\\n1010 Wien\""));
}

TEST(CreateProjectForm, TakesConsumptionsFromJustAboveZeroToTheBound) {
  for (const char* json : {"0.001", "1", "1e3", "4500.5", "100000000", "100000000.0"})
    EXPECT_FALSE(created("jahresverbrauch_kwh", json)) << json;
  for (const char* json : {"", "0", "-0.0", "-1", "100000000.01", "100000001", "1e300", "null", "true",
                           "\"4500\"", "[4500]", "{}"})
    EXPECT_EQ(created("jahresverbrauch_kwh", json), Code::verbrauch_fehlt) << json;
}

TEST(CreateProjectForm, TakesANumberBeyondEveryDoubleForAConsumptionThatIsTooHigh) {
  for (const char* number : {"1e400", "-1e400", "99999999999999999999999999", "1e-400"})
    EXPECT_EQ(created("jahresverbrauch_kwh", number), Code::verbrauch_fehlt) << number;
  for (const char* no_json : {"01", "NaN", "1e", "+5", ".5", "0x10", "1_000", "9999999999999999999999 9"})
    EXPECT_EQ(created("jahresverbrauch_kwh", no_json), Code::anfrage_ungueltig) << no_json;
}

TEST(Forms, TakeANumberThatNoTypeHoldsForAWrongValueOfItsFieldAlone) {
  for (const std::string huge : {"1e400", "-1e400", "18446744073709551616", "-9223372036854775809"}) {
    for (const std::string& value : {huge, "[1," + huge + "]", "{\"y\":" + huge + "}"}) {
      const std::string unread = "\"x\":" + value;
      EXPECT_FALSE(refused(http::read_create_project(post("{" + unread + "," + body_with("", "").substr(1)))))
          << value;
      EXPECT_FALSE(refused(http::read_restart(post("{" + unread + "}"), "17"))) << value;
    }
    EXPECT_EQ(sentence(http::read_create_project(post(body_with("name", huge)))),
              "Das Feld name ist kein Text.");
    EXPECT_EQ(created("adresse", huge), Code::anfrage_ungueltig);
    EXPECT_EQ(created("lastprofil", huge), Code::lastprofil_unbekannt);
    EXPECT_EQ(refused(http::read_restart(post("{\"jahresverbrauch_kwh\":" + huge + "}"), "17")),
              Code::verbrauch_fehlt);
  }
  for (const std::string whole : {"18446744073709551615", "-9223372036854775808", "1e308"})
    EXPECT_FALSE(refused(http::read_restart(post("{\"x\":" + whole + "}"), "17"))) << whole;
  // A text that looks like such a number, or that holds quotes, is a text all the same.
  const auto command =
      http::read_create_project(post("{\"x\":1e400," + body_with("name", R"("Haus \"1e400\\")").substr(1)));
  EXPECT_EQ(caf::get<actors::CreateProject>(command).name, "Haus \"1e400\\");
  for (const char* no_json : {"{\"x\":1e400,}", "{\"x\":01e400}", "{\"x\":1.e400}", "{\"x\":-.5e400}",
                              "{\"x\":1e400 \"", "{\"x\":1e400,\"\\"})
    EXPECT_EQ(refused(http::read_restart(post(no_json), "17")), Code::anfrage_ungueltig) << no_json;
  const std::string long_one = "{\"x\":" + times(40'000, "9") + "}";
  EXPECT_FALSE(refused(http::read_restart(post(long_one), "17")));
}

TEST(Forms, RefuseAPackedBodyByItsHeader) {
  http::Request request = post("\x1f\x8b\x08");
  request.headers.emplace_back("content-encoding", "gzip");
  EXPECT_EQ(refused(http::read_create_project(request)), Code::inhaltstyp_falsch);
  EXPECT_NE(sentence(http::read_create_project(request)).find("Content-Encoding"), std::string::npos);
  for (const char* none : {"identity", "IDENTITY", "", "utf-8"}) {
    http::Request plain = post(body_with("", ""));
    plain.headers.emplace_back("content-encoding", none);
    EXPECT_FALSE(refused(http::read_create_project(plain))) << none;
  }
}

TEST(CreateProjectForm, TakesTheElevenProfilesAndNoOther) {
  for (const char* code : {"H0", "L0", "L1", "L2", "G0", "G1", "G2", "G3", "G4", "G5", "G6"})
    EXPECT_FALSE(created("lastprofil", "\"" + std::string(code) + "\"")) << code;
  for (const char* json : {"", "null", "\"\"", "\"h0\"", "\"H1\"", "\"H0 \"", "0", "[\"H0\"]"})
    EXPECT_EQ(created("lastprofil", json), Code::lastprofil_unbekannt) << json;
}

TEST(SingleCallForm, ReadsItsParametersAndDefaults) {
  const auto command =
      http::read_single_call(get("/analyse?adresse=Weg+1%2C+1010+Wien&jahresverbrauch_kwh=4500"));
  const auto& order = caf::get<actors::SingleCall>(command).project;
  EXPECT_EQ(order.address, "Weg 1, 1010 Wien");
  EXPECT_EQ(order.consumption_kwh, 4500);
  EXPECT_EQ(order.load_profile, "H0");
  EXPECT_EQ(order.name, "");
}

TEST(SingleCallForm, TakesVerbrauchAsAnotherNameOfTheConsumption) {
  const auto consumption = [](const char* query) {
    return caf::get<actors::SingleCall>(http::read_single_call(get(query))).project.consumption_kwh;
  };
  EXPECT_EQ(consumption("/analyse?adresse=a&verbrauch=7"), 7);
  EXPECT_EQ(consumption("/analyse?adresse=a&verbrauch=7&jahresverbrauch_kwh=8"), 8);
}

TEST(SingleCallForm, RefusesWhatTheContractRefuses) {
  const auto code = [](const std::string& query) {
    return refused(http::read_single_call(get("/analyse?" + query)));
  };
  EXPECT_EQ(code("jahresverbrauch_kwh=1"), Code::anfrage_ungueltig);
  EXPECT_EQ(code("adresse=&jahresverbrauch_kwh=1"), Code::anfrage_ungueltig);
  EXPECT_EQ(code("adresse=%00&jahresverbrauch_kwh=1"), Code::anfrage_ungueltig);
  EXPECT_EQ(code("adresse=" + times(201, "%C3%BC") + "&jahresverbrauch_kwh=1"), Code::adresse_zu_lang);
  EXPECT_FALSE(code("adresse=" + times(200, "%C3%BC") + "&jahresverbrauch_kwh=1"));
  for (const char* kwh : {"", "0", "-5", "nan", "inf", "1e9", "4500kWh", "4500,5", "0x10", "%2B5", " 5"})
    EXPECT_EQ(code("adresse=a&jahresverbrauch_kwh=" + std::string(kwh)), Code::verbrauch_fehlt) << kwh;
  EXPECT_EQ(code("adresse=a"), Code::verbrauch_fehlt);
  EXPECT_EQ(code("adresse=a&verbrauch=1&lastprofil=X9"), Code::lastprofil_unbekannt);
  EXPECT_EQ(code("adresse=a&verbrauch=1&name=" + times(151, "n")), Code::anfrage_ungueltig);
  EXPECT_FALSE(code("adresse=a&verbrauch=1&name=" + times(150, "%C3%BC")));
}

TEST(ListForm, HasADefaultAndBounds) {
  const auto order = [](const char* query) {
    return caf::get<actors::ListProjects>(http::read_list_projects(get(query)));
  };
  EXPECT_EQ(order("/projekte").limit, 100);
  EXPECT_EQ(order("/projekte").before, 0U);
  EXPECT_EQ(order("/projekte?limit=1&vor_id=5").limit, 1);
  EXPECT_EQ(order("/projekte?limit=200&vor_id=5").before, 5U);
  for (const char* query : {"limit=0", "limit=201", "limit=-1", "limit=ten", "limit=", "limit=1.5",
                            "limit=99999999999", "vor_id=0", "vor_id=-1", "vor_id=x",
                            "vor_id=", "vor_id=-99999999999999999999", "vor_id=99999999999999999999x"})
    EXPECT_EQ(refused(http::read_list_projects(get(std::string("/projekte?") + query))),
              Code::anfrage_ungueltig)
        << query;
}

TEST(ListForm, TakesANumberBeyondEveryProjectForTheListsBeginning) {
  for (const char* number : {"18446744073709551615", "18446744073709551616", "99999999999999999999999999"})
    EXPECT_EQ(caf::get<actors::ListProjects>(
                  http::read_list_projects(get(std::string("/projekte?vor_id=") + number)))
                  .before,
              18446744073709551615U)
        << number;
}

TEST(ProjectNumbers, AreWholeAndPositiveOrOfNoProject) {
  EXPECT_EQ(caf::get<actors::QueryAnalysis>(http::read_query_analysis("42")).project, 42U);
  for (const char* text : {"", "0", "-1", "1.5", "abc", "1x", " 1", "99999999999999999999", "0x1"})
    EXPECT_EQ(refused(http::read_query_analysis(text)), Code::projekt_unbekannt) << text;
}

TEST(RestartForm, TakesWhatIsSentAndLeavesTheRest) {
  const auto order = [](const std::string& body, const char* type) {
    return caf::get<actors::RestartAnalysis>(http::read_restart(post(body, type), "42"));
  };
  EXPECT_EQ(order("", "").consumption_kwh, 0);
  EXPECT_EQ(order("", "").load_profile, "");
  EXPECT_EQ(order("{}", "application/json").project, 42U);
  EXPECT_EQ(order("{\"jahresverbrauch_kwh\":5}", "application/json").consumption_kwh, 5);
  EXPECT_EQ(order("{\"lastprofil\":\"G4\"}", "application/json").load_profile, "G4");
}

TEST(RestartForm, ChecksWhatIsSent) {
  const auto code = [](const std::string& body, const char* type = "application/json") {
    return refused(http::read_restart(post(body, type), "42"));
  };
  EXPECT_EQ(code("{}", "text/plain"), Code::inhaltstyp_falsch);
  EXPECT_EQ(code("{}", ""), Code::inhaltstyp_falsch);
  EXPECT_EQ(code("{"), Code::anfrage_ungueltig);
  EXPECT_EQ(code("{\"jahresverbrauch_kwh\":0}"), Code::verbrauch_fehlt);
  EXPECT_EQ(code("{\"jahresverbrauch_kwh\":\"5\"}"), Code::verbrauch_fehlt);
  EXPECT_EQ(code("{\"lastprofil\":\"\"}"), Code::lastprofil_unbekannt);
}

actors::QueryMedia image(const char* query, const char* surface = "1") {
  return caf::get<actors::QueryMedia>(
      http::read_surface_image(get(std::string("/x") + query), "42", surface));
}

TEST(ImageForm, IsAnSvgOfTheDefaultWidthUnlessPngIsAskedFor) {
  EXPECT_FALSE(image("").png);
  EXPECT_EQ(image("").width_px, 800);
  EXPECT_TRUE(image("?format=png").png);
  for (const char* query : {"?format=svg", "?format=PNG", "?format=", "?format=gif"})
    EXPECT_FALSE(image(query).png) << query;
}

TEST(ImageForm, BoundsTheWidthAndNamesItOtherwise) {
  EXPECT_EQ(image("?breite=200").width_px, 200);
  EXPECT_EQ(image("?breite=2000").width_px, 2000);
  for (const char* query : {"?breite=199", "?breite=2001", "?breite=", "?breite=-500", "?breite=800px",
                            "?breite=800.5", "?breite=99999999999"}) {
    const auto command = http::read_overview_image(get(std::string("/x") + query), "42");
    EXPECT_EQ(refused(command), Code::anfrage_ungueltig) << query;
    EXPECT_NE(sentence(command).find("breite"), std::string::npos) << sentence(command);
  }
}

TEST(ImageForm, GivesASurfaceThatIsNoNumberTheNumberOfNone) {
  EXPECT_EQ(image("", "3").surface, 3);
  for (const char* surface : {"x", "", "1.5", "99999999999"})
    EXPECT_EQ(image("", surface).surface, 0) << surface;
}

TEST(MediaForms, AskForTheirKind) {
  const auto kind = [](const actors::Command& command) { return caf::get<actors::QueryMedia>(command).kind; };
  EXPECT_EQ(kind(http::read_media_list("1")), actors::MediaKind::listing);
  EXPECT_EQ(kind(http::read_orthophoto("1")), actors::MediaKind::orthophoto);
  EXPECT_EQ(kind(http::read_model("1")), actors::MediaKind::model);
  EXPECT_EQ(kind(http::read_overview_image(get("/x"), "1")), actors::MediaKind::overview_image);
  EXPECT_EQ(refused(http::read_media_list("x")), Code::projekt_unbekannt);
  EXPECT_EQ(refused(http::read_model("0")), Code::projekt_unbekannt);
}

}  // namespace
