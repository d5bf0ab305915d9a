// Templates, styles and scripts inside the program.
#include "http/web/embedded_files.hpp"

#include <gmock/gmock.h>
#include <openssl/sha.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "http/web/embedded_bytes.hpp"

namespace {

using namespace http;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

const std::filesystem::path kSources = std::filesystem::path(ROOF_SOURCE_DIR) / "http/web";

std::string source_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string first_hex_of_sha256(const std::string& bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  std::string hex;
  for (int i = 0; i < 6; ++i) {
    constexpr auto kDigits = "0123456789abcdef";
    hex += {kDigits[digest[i] / 16], kDigits[digest[i] % 16]};
  }
  return hex;
}

std::set<std::string> addresses_in(const std::string& script) {
  const std::regex address("/datei/([a-z]+\\.[0-9a-f]{12}\\.[a-z]+)");
  std::set<std::string> found;
  for (std::sregex_iterator at(script.begin(), script.end(), address), end; at != end; ++at)
    found.insert((*at)[1]);
  return found;
}

TEST(EmbeddedFiles, EveryTemplateIsThereAsItsFileIs) {
  const TemplateTexts texts = template_texts();
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kSources / "templates")) {
    if (entry.path().extension() != ".html") continue;
    ++files;
    const auto found = texts.find(entry.path().stem().string());
    ASSERT_NE(found, texts.end()) << entry.path();
    EXPECT_EQ(found->second, source_text(entry.path())) << entry.path();
  }
  EXPECT_EQ(texts.size(), files);
  EXPECT_GT(files, 15U);
}

// What browsers keep for good under a name must never be something else under that name.
TEST(EmbeddedFiles, TheNameCarriesAHashOfTheContent) {
  int loaded = 0;
  for (const EmbeddedBytes* one = embedded_bytes(); one->name; ++one) {
    const std::string address = file_address(one->name);
    if (address.empty()) continue;
    ++loaded;
    const std::string hash = first_hex_of_sha256({one->bytes, one->size});
    EXPECT_THAT(address, HasSubstr("." + hash + ".")) << one->name;
    const EmbeddedFile* file = embedded_file(address.substr(std::string("/datei/").size()));
    ASSERT_NE(file, nullptr) << address;
    EXPECT_EQ(file->name, one->name);
    EXPECT_EQ(*file->body, std::string(one->bytes, one->size));
  }
  EXPECT_GE(loaded, 6);
}

TEST(EmbeddedFiles, ANameThatIsNoneAndATemplateAreNotServed) {
  for (const char* name : {"", "roof.css", "roof.000000000000.css", "layout.html", "layout", "lizenzen.txt",
                           "THIRD_PARTY_NOTICES.md", "../roof.css", "/", "."})
    EXPECT_EQ(embedded_file(name), nullptr) << name;
  EXPECT_EQ(file_address("layout.html"), "");
  EXPECT_EQ(file_address("nichts.css"), "");
}

TEST(EmbeddedFiles, TheEndingSaysTheType) {
  const std::array<std::pair<const char*, const char*>, 6> expected{{
      {"roof.css", "text/css; charset=utf-8"},
      {"karte.css", "text/css; charset=utf-8"},
      {"seite.js", "text/javascript; charset=utf-8"},
      {"leer.png", "image/png"},
      {"layout.html", "text/html; charset=utf-8"},
      {"lizenzen.txt", "text/plain; charset=utf-8"},
  }};
  for (const auto& [name, type] : expected) {
    const EmbeddedFile* file = embedded_text(name);
    ASSERT_NE(file, nullptr) << name;
    EXPECT_EQ(file->type, type) << name;
  }
}

// bundle.cmake writes the addresses into the scripts, by the rule of embedded_files.cpp.
TEST(EmbeddedFiles, ScriptsNameTheFilesThatAreServed) {
  std::set<std::string> named = addresses_in(*embedded_text("seite.js")->body);
  EXPECT_EQ(named.size(), 3U);
  named.merge(addresses_in(*embedded_text("karte.js")->body));
  std::set<std::string> served;
  for (const std::string& name : named) {
    const EmbeddedFile* file = embedded_file(name);
    ASSERT_NE(file, nullptr) << name;
    served.insert(file->name);
  }
  EXPECT_THAT(served, IsSupersetOf({"modell.js", "karte.js", "karte.css", "leer.png"}));
}

// The pages' policy refuses pictures of other hosts, and a picture that is missing is a 404 in every
// browser's console.
TEST(EmbeddedFiles, StylesLoadNothing) {
  for (const char* name : {"roof.css", "karte.css"})
    EXPECT_THAT(*embedded_text(name)->body, Not(HasSubstr("url(")));
}

TEST(EmbeddedFiles, EachBundledLibrarysLicenceIsThere) {
  const std::string text = *embedded_text("lizenzen.txt")->body;
  for (const char* part :
       {"three 0.187.0", "three.js authors", "Permission is hereby granted, free of charge", "leaflet 1.9.4",
        "Volodymyr Agafonkin", "Redistributions in binary form"})
    EXPECT_THAT(text, HasSubstr(part));
}

}  // namespace
