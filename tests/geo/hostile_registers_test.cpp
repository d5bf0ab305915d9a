// Address registers in every form: broken, odd and legal. Each either finds the house of the untouched one,
// or is refused with one clear sentence.
#include <gtest/gtest.h>

#include "tests/geo/hostile_catalogue.hpp"

namespace hostile {
namespace {

using Rows = std::vector<Strings>;

/// The region's register: strasse, hausnummer, plz, ort, land, lon, lat and whatever else it has.
const Rows& rows() {
  static const Rows read = sample_test::csv(region() / "addresses.csv");
  return read;
}
std::size_t column(const std::string& name) {
  return static_cast<std::size_t>(std::find(rows()[0].begin(), rows()[0].end(), name) - rows()[0].begin());
}

struct Spelling {
  std::string between = ",", line_end = "\n", quote, before;
};
std::string text_of(const Rows& all, const Spelling& spelling = {}) {
  std::string text = spelling.before;
  for (const Strings& row : all) {
    for (std::size_t i = 0; i < row.size(); ++i)
      text += (i ? spelling.between : "") + spelling.quote + row[i] + spelling.quote;
    text += spelling.line_end;
  }
  return text;
}

/// Every row but the header changed.
Rows changed(const std::function<void(Strings&)>& change) {
  Rows all = rows();
  for (std::size_t i = 1; i < all.size(); ++i) change(all[i]);
  return all;
}

std::string latin1(const std::string& utf8) {
  char* text = CPLRecode(utf8.c_str(), CPL_ENC_UTF8, CPL_ENC_ISO8859_1);
  std::string out = text;
  CPLFree(text);
  return out;
}

struct RegisterVariant {
  const char* name;
  std::function<std::string()> text;
  std::string refusal = {};  ///< empty: the house is found
};
void PrintTo(const RegisterVariant& variant, std::ostream* out) { *out << variant.name; }

std::vector<RegisterVariant> variants() {
  const auto spelled = [](const Spelling& spelling) {
    return [spelling] { return text_of(rows(), spelling); };
  };
  const auto with = [](const std::function<void(Strings&)>& change) {
    return [change] { return text_of(changed(change)); };
  };
  return {
      {"Untouched", spelled({})},
      {"WithAByteOrderMark", spelled({.before = "\xEF\xBB\xBF"})},
      {"WithSemicolons", spelled({.between = ";"})},
      {"WithTabs", spelled({.between = "\t"})},
      {"WithLineEndsOfWindows", spelled({.line_end = "\r\n"})},
      {"InQuotes", spelled({.quote = "\""})},
      {"InLatin1", [] { return latin1(text_of(rows())); }},
      {"InLatin1WithSemicolons", [] { return latin1(text_of(rows(), {.between = ";"})); }},
      {"WithDecimalCommas",
       [] {
         return text_of(changed([](Strings& row) {
                          for (const char* name : {"lon", "lat"})
                            std::replace(row[column(name)].begin(), row[column(name)].end(), '.', ',');
                        }),
                        {.between = ";"});
       }},
      {"WithCapitalsInItsHeader",
       [] {
         Rows all = rows();
         for (std::string& cell : all[0])
           std::transform(cell.begin(), cell.end(), cell.begin(),
                          [](unsigned char c) { return std::toupper(c); });
         return text_of(all);
       }},
      {"WithARowWithoutAPlace",
       [] {
         Rows all = rows();
         all.push_back(all[1]);
         all.back()[column("hausnummer")] = "999";
         all.back()[column("lon")] = all.back()[column("lat")] = "";
         return text_of(all);  // of so few rows not even one may be bad
       },
       "has no valid lon and lat; so it is with 1 of"},
      {"WithAnEmptyRow", [] { return text_of(rows()) + "\n\n"; }},
      {"WithEveryRowTwice",
       [] {
         Rows all = rows();
         all.insert(all.end(), rows().begin() + 1, rows().end());
         return text_of(all);
       }},
      {"WithoutPostcodes", with([](Strings& row) { row[column("plz")] = ""; })},
      {"WithLonAndLatExchanged",
       with([](Strings& row) { std::swap(row[column("lon")], row[column("lat")]); }),
       "Austria, Germany and Switzerland"},
      {"OutsideOfTheCountries", with([](Strings& row) {
         row[column("lon")] = "-74.0";
         row[column("lat")] = "40.7";
       }),
       "Austria, Germany and Switzerland"},
      {"InMetres", with([](Strings& row) {
         row[column("lon")] = "500000";
         row[column("lat")] = "5500000";
       }),
       "Austria, Germany and Switzerland"},
      {"WithWordsForPlaces",
       with([](Strings& row) { row[column("lon")] = row[column("lat")] = "unbekannt"; }), "lon and lat"},
      {"WithoutTheStreets",
       [] {
         Rows all = rows();
         all[0][column("strasse")] = "gasse_oder_so";
         return text_of(all);
       },
       "strasse"},
      {"OfAHeaderAlone", [] { return text_of({rows()[0]}); }, "address"},
      {"Empty", [] { return std::string(); }, "addresses.csv"},
  };
}

class HostileRegisters : public testing::TestWithParam<RegisterVariant> {};

TEST_P(HostileRegisters, FindTheHouseOrSayOneClearSentence) {
  Draft draft;
  std::ofstream(draft.file("addresses.csv"), std::ios::binary) << GetParam().text();
  draft.use("addresses", draft.file("addresses.csv"));
  const auto loaded = geo::Geodata::load(draft.catalogue());
  if (!GetParam().refusal.empty()) {
    ASSERT_FALSE(loaded);
    EXPECT_TRUE(is_one_sentence(loaded.error().text)) << loaded.error().text;
    EXPECT_THAT(loaded.error().text, testing::HasSubstr(GetParam().refusal));
    return;
  }
  ASSERT_TRUE(loaded) << loaded.error().text;
  const auto reference = geo::Geodata::load(Draft().catalogue());
  ASSERT_TRUE(reference);
  int asked = 0;
  for (std::size_t i = 1; i < rows().size(); ++i) {
    const Strings& row = rows()[i];
    const std::string text = row[column("strasse")] + " " + row[column("hausnummer")] + ", " +
                             row[column("plz")] + " " + row[column("ort")];
    const auto wanted = reference->addresses.find(text);
    if (wanted.kind != geo::AddressMatch::Kind::house) continue;
    ++asked;
    const auto found = loaded->addresses.find(text);
    EXPECT_EQ(found.kind, geo::AddressMatch::Kind::house) << text;
    EXPECT_NEAR(found.house.place.lon_deg, wanted.house.place.lon_deg, 1e-6) << text;
    EXPECT_NEAR(found.house.place.lat_deg, wanted.house.place.lat_deg, 1e-6) << text;
  }
  EXPECT_GT(asked, 0);
}

INSTANTIATE_TEST_SUITE_P(Registers, HostileRegisters, testing::ValuesIn(variants()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace hostile
