// Templates: what a value may do to a page (nothing), and what a mistake of ours does (it is seen).
#include "http/web/template.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

namespace {

using namespace http;
using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string rendered(const std::string& text, const TemplateData& data = {}) {
  return Template({{"seite", text}}, "seite").render(data);
}

TemplateData list_of(std::initializer_list<TemplateData> items) {
  TemplateData list(TemplateData::type::list);
  for (const auto& item : items) list << item;
  return list;
}

std::string mistake_in(const TemplateTexts& texts, const std::string& layout = {}) {
  try {
    const Template made(texts, "seite", layout);
  } catch (const TemplateError& error) {
    return error.what();
  }
  return "none";
}

TEST(Templates, ATextIsEscaped) {
  EXPECT_EQ(rendered("<a title=\"{{name}}\">{{name}}</a>", {"name", "<script>\"'&"s}),
            "<a title=\"&lt;script&gt;&quot;&apos;&amp;\">&lt;script&gt;&quot;&apos;&amp;</a>\n");
}

TEST(Templates, AValueIsNoTemplate) {
  TemplateData data("name", "{{geheim}} {{{geheim_html}}} {{> kopf}} {{=<% %>=}} {{#a}}"s);
  data.set("geheim", "x"s);
  EXPECT_EQ(rendered("{{name}}!", data),
            "{{geheim}} {{{geheim_html}}} {{&gt; kopf}} {{=&lt;% %&gt;=}} {{#a}}!\n");
}

TEST(Templates, BrokenUtf8AndNulHideNoBracket) {
  EXPECT_EQ(rendered("{{a}}", {"a", "\xc3<b>\0<i>\xff\xfe<"s}), "\xc3&lt;b&gt;\0&lt;i&gt;\xff\xfe&lt;\n"s);
}

TEST(Templates, ALongValueIsPutInWhole) {
  EXPECT_EQ(rendered("{{a}}", {"a", std::string(1'000'000, '<')}).size(), 4'000'001u);
}

TEST(Templates, HtmlOfOurOwnIsPutInAsItIs) {
  EXPECT_EQ(rendered("{{{karte_html}}}{{& karte_html }}", {"karte_html", "<svg/>"s}), "<svg/><svg/>\n");
}

TEST(Templates, OnlyANameThatEndsInHtmlIsNotEscaped) {
  for (const char* tag : {"{{{name}}}", "{{{ name }}}", "{{&name}}", "{{ & name}}", "{{{name_html.x}}}",
                          "{{{.}}}", "{{{name_html_}}}", "{{#a}}{{{name}}}{{/a}}"})
    EXPECT_THAT(mistake_in({{"seite", tag}}), HasSubstr("only a name that ends in _html")) << tag;
}

TEST(Templates, AMissingNameIsAnError) {
  for (const char* text : {"{{name}}", "{{#name}}x{{/name}}", "{{^name}}x{{/name}}", "{{a.name}}"})
    EXPECT_THROW(rendered(text, {"a", "b"s}), TemplateError) << text;
}

TEST(Templates, AMissingNameInARowIsAnError) {
  EXPECT_THROW(rendered("{{#zeilen}}{{b}}{{/zeilen}}", {"zeilen", list_of({{"a", "1"s}})}), TemplateError);
}

TEST(Templates, TheErrorNamesPageAndName) {
  try {
    rendered("{{flaeche}}");
    FAIL();
  } catch (const TemplateError& error) {
    EXPECT_STREQ(error.what(), "template seite: nothing to put for flaeche");
  }
}

TEST(Templates, InARunningServiceAMissingNameIsEmptyAndNoted) {
  std::vector<std::string> missing;
  const Template page({{"seite", "<p>{{name}}{{#liste}}x{{/liste}}{{da}}</p>"}}, "seite");
  EXPECT_EQ(page.render({"da", "!"s}, &missing), "<p>!</p>\n");
  EXPECT_THAT(missing, ElementsAre("name", "liste"));
}

TEST(Templates, AFlagOrAListWhereATextBelongsIsAnError) {
  EXPECT_THROW(rendered("{{a}}", {"a", true}), TemplateError);
  EXPECT_THROW(rendered("{{a}}", {"a", list_of({"x"s})}), TemplateError);
  EXPECT_THROW(rendered("{{a}}", {"a", TemplateData("b", "c"s)}), TemplateError);
  EXPECT_THROW(rendered("{{#a}}{{a}}{{/a}}", {"a", true}), TemplateError);
}

TEST(Templates, LambdasAreRefused) {
  const kainjow::mustache::lambda lambda([](const std::string& text) { return text; });
  EXPECT_THROW(rendered("{{a}}", {"a", TemplateData(lambda)}), TemplateError);
  EXPECT_THROW(rendered("{{#a}}x{{/a}}", {"a", TemplateData(lambda)}), TemplateError);
}

TEST(Templates, ListsFlagsAndWhatIsNotThere) {
  TemplateData data("zeilen", list_of({{"kwp", "4,4"s}, {"kwp", "9"s}}));
  data.set("leer", list_of({}));
  data.set("offen", true);
  data.set("ort", false);
  EXPECT_EQ(rendered("{{#zeilen}}<td>{{kwp}}{{/zeilen}}{{^leer}}nichts{{/leer}}{{#offen}}!{{/offen}}"
                     "{{#ort}}{{ort}}{{/ort}}",
                     data),
            "<td>4,4<td>9nichts!\n");
  EXPECT_EQ(rendered("{{#worte}}{{.}},{{/worte}}", {"worte", list_of({"a"s, "<"s})}), "a,&lt;,\n");
}

TEST(Templates, APageStandsInItsLayout) {
  const TemplateTexts texts{{"geruest", "<title>{{titel}}</title>\n{{> kopf}}\n<main>{{> inhalt}}</main>\n"},
                            {"kopf", "<nav>{{konto}}</nav>\n"},
                            {"projekte", "<h1>{{titel}}</h1>{{> kopf}}{{! nur fuer uns }}\n"}};
  TemplateData data("titel", "A & B"s);
  data.set("konto", "<x>"s);
  EXPECT_EQ(Template(texts, "projekte", "geruest").render(data),
            "<title>A &amp; B</title>\n<nav>&lt;x&gt;</nav>\n<main><h1>A &amp; "
            "B</h1><nav>&lt;x&gt;</nav></main>\n");
}

TEST(Templates, AMistakeInATemplateIsSeenWhenItIsRead) {
  EXPECT_THAT(mistake_in({}), HasSubstr("there is no text seite"));
  EXPECT_THAT(mistake_in({{"seite", "{{> fuss}}"}}), HasSubstr("there is no text fuss"));
  EXPECT_THAT(mistake_in({{"seite", "{{> inhalt}}"}}), HasSubstr("there is no text inhalt"));
  EXPECT_THAT(mistake_in({{"seite", "{{> a}}"}, {"a", "{{> b}}"}, {"b", "{{> a}}"}}),
              HasSubstr("includes itself"));
  EXPECT_THAT(mistake_in({{"seite", "x{{> inhalt}}"}}, "seite"), HasSubstr("includes itself"));
  for (const char* text :
       {"{{", "{{a", "{{a}", "{{{a_html}}", "{{#a}}", "{{/a}}", "{{#a}}{{/b}}", "{{}}", "{{ }}", "{{a b}}",
        "{{A}}", "{{=<% %>=}}", "{{a\n{{b}}", "{{#a}}{{#b}}{{/a}}{{/b}}"})
    EXPECT_NE(mistake_in({{"seite", text}}), "none") << text;
}

TEST(Templates, ThreadsRenderOneTemplateAtTheSameTime) {
  const Template page({{"seite", "{{#zeilen}}<td>{{.}}</td>{{/zeilen}}"}}, "seite");
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&page, &right, t] {
      const TemplateData data("zeilen", list_of({std::to_string(t)}));
      for (int i = 0; i < 200; ++i)
        right += page.render(data) == "<td>" + std::to_string(t) + "</td>\n" ? 1 : 0;
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 800);
}

}  // namespace
