// The pages' templates with the example data of tests/http/web/examples: every state of every page renders,
// is well-formed, and breaks no rule of ours (no inline style or script, every field has its label).
// ROOF_LOOK_DIR=FOLDER keeps the pages there, to be looked at.
#include <gtest/gtest.h>
#include <libxml/HTMLparser.h>
#include <libxml/xpath.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>

#include "http/web/template.hpp"
#include "tests/http/html_check.hpp"

namespace {

namespace fs = std::filesystem;
using http::Template;
using http::TemplateData;
using http::TemplateTexts;

const fs::path kLookFolder = fs::path(ROOF_SOURCE_DIR) / "http/web/look";
const fs::path kTemplateFolder = fs::path(ROOF_SOURCE_DIR) / "http/web/templates";
const fs::path kExampleFolder = fs::path(ROOF_SOURCE_DIR) / "tests/http/web/examples";

std::string file_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TemplateTexts all_texts() {
  TemplateTexts texts;
  for (const auto& entry : fs::directory_iterator(kTemplateFolder))
    if (entry.path().extension() == ".html") texts[entry.path().stem().string()] = file_text(entry.path());
  return texts;
}

TemplateData template_data(const nlohmann::json& value) {
  if (value.is_boolean())
    return value.get<bool>() ? TemplateData::type::bool_true : TemplateData::type::bool_false;
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) {
    TemplateData list(TemplateData::type::list);
    for (const auto& item : value) list << template_data(item);
    return list;
  }
  TemplateData object;
  for (const auto& [name, member] : value.items()) object.set(name, template_data(member));
  return object;
}

/// Rendered from a form and a computation in economics_page_test.cpp, from the API's tables in
/// pages_test.cpp.
bool has_a_test_of_its_own(const std::string& name) {
  return name.starts_with("wirtschaftlichkeit") || name.starts_with("doku") || name == "anleitung";
}

/// What other texts include is of no use alone.
bool is_part(const std::string& name, const TemplateTexts& texts) {
  return name == "layout" || std::any_of(texts.begin(), texts.end(), [&](const auto& text) {
           return text.second.find("{{> " + name + "}}") != std::string::npos;
         });
}

struct PageExample {
  std::string name;  ///< file name: the template's and behind it the state's
  std::string template_name;
  nlohmann::json data;
};

/// The longest template name that the example's begins with: projekt_neu_fehler is one of projekt_neu.
std::string template_of(const std::string& example, const TemplateTexts& texts) {
  std::string found;
  for (const auto& [name, text] : texts)
    if (!is_part(name, texts) && (example == name || example.starts_with(name + "_")) &&
        name.size() > found.size())
      found = name;
  return found;
}

std::vector<PageExample> all_examples(const TemplateTexts& texts) {
  std::vector<PageExample> examples;
  for (const auto& entry : fs::directory_iterator(kExampleFolder)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".json") continue;
    examples.push_back({name, template_of(name, texts), nlohmann::json::parse(file_text(entry.path()))});
  }
  std::sort(examples.begin(), examples.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return examples;
}

std::string page_of(const PageExample& example, const TemplateTexts& texts) {
  return Template(texts, example.template_name, "layout").render(template_data(example.data));
}

void keep_to_look_at(const std::string& name, const std::string& html) {
  const char* folder = std::getenv("ROOF_LOOK_DIR");
  if (folder) std::ofstream(fs::path(folder) / (name + ".html"), std::ios::binary) << html;
}

/// A page as libxml2 understands it, and what it had to say.
class ParsedPage {
 public:
  explicit ParsedPage(const std::string& html)
      : document_(htmlReadMemory(html.data(), static_cast<int>(html.size()), nullptr, "UTF-8",
                                 HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET),
                  xmlFreeDoc) {}

  bool parsed() const { return document_ != nullptr; }

  /// The elements that match, as "name#id.class" for a message.
  std::vector<std::string> matching(const std::string& expression) const {
    const std::unique_ptr<xmlXPathContext, decltype(&xmlXPathFreeContext)> context(
        xmlXPathNewContext(document_.get()), xmlXPathFreeContext);
    const std::unique_ptr<xmlXPathObject, decltype(&xmlXPathFreeObject)> result(
        xmlXPathEvalExpression(reinterpret_cast<const xmlChar*>(expression.c_str()), context.get()),
        xmlXPathFreeObject);
    std::vector<std::string> found;
    if (!result) return {"not an expression: " + expression};
    for (int i = 0; result->nodesetval && i < result->nodesetval->nodeNr; ++i)
      found.push_back(described(result->nodesetval->nodeTab[i]));
    return found;
  }

 private:
  static std::string described(xmlNode* node) {
    std::string text(reinterpret_cast<const char*>(node->name));
    if (node->type != XML_ELEMENT_NODE) return text;
    for (const char* attribute : {"id", "name", "class"}) {
      xmlChar* value = xmlGetProp(node, reinterpret_cast<const xmlChar*>(attribute));
      if (value) text += std::string(" ") + attribute + "=" + reinterpret_cast<const char*>(value);
      xmlFree(value);
    }
    return text;
  }

  std::unique_ptr<xmlDoc, decltype(&xmlFreeDoc)> document_;
};

/// What is said of an element that breaks it, and which elements do.
struct PageRule {
  const char* sentence;
  const char* breaking;  ///< XPath
};

constexpr PageRule kPageRules[] = {
    {"no inline style", "//@style | //style"},
    {"no inline handler", "//@*[starts-with(name(), 'on')]"},
    {"no inline script", "//script[not(@src)]"},
    {"no address that is a script or data",
     "//@*[starts-with(normalize-space(.), 'javascript:') or starts-with(normalize-space(.), 'data:')]"},
    {"every field has a label",
     "//*[self::input or self::select or self::textarea][not(@type='hidden')][not(@aria-label)]"
     "[not(@id = //label/@for)]"},
    {"every label has a field",
     "//label[not(@for = //*[self::input or self::select or self::textarea]/@id)]"},
    {"every deed is named", "//form[@method='post']//button[not(@type='button')][not(@name) or not(@value)]"},
    {"a button outside a form does nothing alone", "//button[not(ancestor::form)][not(@type='button')]"},
    {"every picture has a text", "//img[not(@alt)]"},
    {"every drawing has a text or is hidden", "//svg[not(@aria-label) and not(@aria-hidden='true')]"},
    {"a fault is tied to its field", "//*[@aria-invalid='true'][not(@aria-describedby)]"},
    {"what scrolls can be reached by keyboard", "//div[@class='table-scroll'][not(@tabindex)]"},
    {"one heading of the first order", "//h1[preceding::h1]"},
    {"a form posts to its own host", "//form[starts-with(@action, 'http') or starts-with(@action, '//')]"},
};

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& part : parts) text += "\n  " + part;
  return text;
}

/// Ids that an attribute speaks of and that are not there.
std::vector<std::string> missing_references(const std::string& html, const std::set<std::string>& ids) {
  std::vector<std::string> missing;
  const std::regex reference(
      "(aria-describedby|aria-labelledby|aria-controls|for|data-kopieren)=\"([^\"]*)\"");
  for (std::sregex_iterator it(html.begin(), html.end(), reference), end; it != end; ++it) {
    std::istringstream names((*it)[2].str());
    for (std::string id; names >> id;)
      if (!ids.contains(id)) missing.push_back((*it)[1].str() + "=" + id);
  }
  return missing;
}

/// html_check's reader does not know that <path/> is closed.
std::string with_closed_elements(std::string html) {
  for (auto at = html.find("/>"); at != std::string::npos; at = html.find("/>", at)) {
    const auto begin = html.rfind('<', at) + 1;
    const std::string name = html.substr(begin, html.find_first_of(" /", begin) - begin);
    html.replace(at, 2, "></" + name + ">");
  }
  return html;
}

TEST(PageTemplates, EveryPageHasAnExample) {
  const auto texts = all_texts();
  std::set<std::string> shown;
  for (const auto& example : all_examples(texts)) {
    EXPECT_NE(example.template_name, "") << example.name << " is an example of no template";
    shown.insert(example.template_name);
  }
  for (const auto& [name, text] : texts)
    EXPECT_TRUE(is_part(name, texts) || has_a_test_of_its_own(name) || shown.contains(name)) << name;
}

TEST(PageTemplates, EveryExampleRendersWithNothingMissing) {
  const auto texts = all_texts();
  for (const auto& example : all_examples(texts)) {
    std::string html;
    ASSERT_NO_THROW(html = page_of(example, texts)) << example.name;
    EXPECT_EQ(html.find("{{"), std::string::npos) << example.name;
    keep_to_look_at(example.name, html);
  }
}

TEST(PageTemplates, EveryPageIsWellFormedAndItsIdsAreUnique) {
  const auto texts = all_texts();
  for (const auto& example : all_examples(texts)) {
    const std::string html = page_of(example, texts);
    const auto page = test::read_html(with_closed_elements(html));
    EXPECT_TRUE(page.faults.empty()) << example.name << joined(page.faults);
    const auto missing = missing_references(html, page.ids);
    EXPECT_TRUE(missing.empty()) << example.name << joined(missing);
  }
}

TEST(PageTemplates, EveryPageKeepsTheRules) {
  const auto texts = all_texts();
  for (const auto& example : all_examples(texts)) {
    const ParsedPage page(page_of(example, texts));
    ASSERT_TRUE(page.parsed()) << example.name;
    for (const auto& rule : kPageRules) {
      const auto breaking = page.matching(rule.breaking);
      EXPECT_TRUE(breaking.empty()) << example.name << ": " << rule.sentence << joined(breaking);
    }
  }
}

TEST(PageTemplates, ARuleSeesWhatBreaksIt) {
  const ParsedPage page(
      "<html><body><form method=\"post\"><p style=\"x\" onclick=\"y\"><input name=\"a\"><button>b</button>"
      "<a href=\" javascript:x\">c</a><script>d</script><img "
      "src=\"/e\"><svg></svg></form><h1>f</h1><h1>g</h1></body></html>");
  for (const std::size_t rule : {0, 1, 2, 3, 4, 6, 8, 9, 12})
    EXPECT_FALSE(page.matching(kPageRules[rule].breaking).empty()) << kPageRules[rule].sentence;
}

TEST(PageTemplates, NoAttributeIsUnquotedAndNoTagStandsBesideOne) {
  const std::regex unquoted("<[a-zA-Z][^<>]*\\s[a-zA-Z-]+=[^\"\\s>]");
  for (const auto& [name, text] : all_texts()) {
    const std::string tags = std::regex_replace(text, std::regex("\"[^\"]*\""), "\"\"");
    EXPECT_FALSE(std::regex_search(tags, unquoted)) << name;
    EXPECT_EQ(text.find('\''), std::string::npos) << name << ": attributes are quoted by \"";
  }
}

/// A user's text in every place where a text may stand: no element comes of it.
void spoil(nlohmann::json& value, const std::string& name) {
  if (value.is_structured())
    for (auto it = value.begin(); it != value.end(); ++it) spoil(*it, value.is_object() ? it.key() : name);
  else if (value.is_string() && !name.ends_with("_html") && !name.ends_with("_id") && !name.ends_with("_nr"))
    value = "\"><script>alert(1)</script><b x='";
}

TEST(PageTemplates, AScriptInEveryFieldStaysText) {
  const auto texts = all_texts();
  for (auto example : all_examples(texts)) {
    for (auto& [name, value] : example.data.items()) spoil(value, name);
    const ParsedPage page(page_of(example, texts));
    EXPECT_EQ(page.matching("//script[not(@src)] | //b[@x]").size(), 0u) << example.name;
  }
}

TEST(PageTemplates, ASearchThatHasNotSeenAllProjectsLeadsOn) {
  const auto texts = all_texts();
  const auto examples = all_examples(texts);
  const auto example = std::find_if(examples.begin(), examples.end(),
                                    [](const auto& one) { return one.name == "projekte_suche_geht_weiter"; });
  ASSERT_NE(example, examples.end());
  const std::string page = page_of(*example, texts);
  EXPECT_NE(page.find("rel=\"next\""), std::string::npos);
  EXPECT_EQ(page.find("Kein Projekt"), std::string::npos) << "older ones were not looked at";
}

TEST(PageTemplates, TheReadmeNamesEveryNameOfEveryTemplate) {
  const std::string readme =
      file_text(kTemplateFolder / "README.md") + file_text(kTemplateFolder / "../economics/README.md");
  const std::regex tag("\\{\\{\\{?[#^/]?([a-z0-9_]+)\\}?\\}\\}");
  for (const auto& [name, text] : all_texts()) {
    if (has_a_test_of_its_own(name)) continue;
    for (std::sregex_iterator it(text.begin(), text.end(), tag), end; it != end; ++it)
      EXPECT_NE(readme.find("`" + (*it)[1].str() + "`"), std::string::npos) << name << ": " << (*it)[1];
  }
}

TEST(StyleSheet, FetchesNothingAndKnowsBothSchemesAndPaper) {
  const std::string css = file_text(kLookFolder / "roof.css");
  EXPECT_EQ(css.find("url("), std::string::npos);
  EXPECT_EQ(css.find("@import"), std::string::npos);
  for (const char* query : {"prefers-color-scheme: dark", "prefers-reduced-motion: reduce", "@media print"})
    EXPECT_NE(css.find(query), std::string::npos) << query;
}

TEST(StyleSheet, EveryPropertyThatIsUsedIsDefined) {
  const std::string css = file_text(kLookFolder / "roof.css");
  const std::regex use("var\\((--[a-z0-9-]+)\\)");
  for (std::sregex_iterator it(css.begin(), css.end(), use), end; it != end; ++it)
    EXPECT_NE(css.find((*it)[1].str() + ":"), std::string::npos) << (*it)[1];
}

}  // namespace
