#include "http/web/pages/text_html.hpp"

#include <gtest/gtest.h>

namespace {

using http::html_of_text;

TEST(TextHtml, MakesParagraphsHeadingsAndLists) {
  EXPECT_EQ(html_of_text("# Groß\n\nEins\nzwei\n\n## Klein\n- a\n* b\n"),
            "<h2>Groß</h2>\n<p>Eins\nzwei\n</p>\n<h3>Klein</h3>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n");
}

TEST(TextHtml, MakesATableOfBars) {
  const std::string table = html_of_text("| a | b |\n|---|:-:|\n| 1 | `x|y` & |\n\nEnde");
  EXPECT_NE(table.find("<thead><tr><th scope=\"col\">a</th><th scope=\"col\">b</th></tr></thead>"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("<tr><td>1</td>"), std::string::npos) << table;
  EXPECT_NE(table.find("</tbody></table></div>\n<p>Ende"), std::string::npos) << table;
  EXPECT_EQ(table.find("---"), std::string::npos);
}

TEST(TextHtml, KeepsTheTextOfALinkToAFileAndLeadsToTheWeb) {
  EXPECT_EQ(html_of_text("([`LICENSE`](LICENSE), https://a.example/b)"),
            "<p>(<code>LICENSE</code>, <a href=\"https://a.example/b\" "
            "rel=\"noreferrer\">https://a.example/b</a>)\n</p>\n");
}

TEST(TextHtml, MarksWithoutAnEndAndMarkupStayText) {
  EXPECT_EQ(html_of_text("`a [b] [c](d"), "<p>`a [b] c\n</p>\n");
  EXPECT_EQ(html_of_text("[`"), "<p>[`\n</p>\n");
  EXPECT_EQ(html_of_text("a ``"), "<p>a ``\n</p>\n");
  EXPECT_EQ(html_of_text("a [](b)"), "<p>a [](b)\n</p>\n");
  const std::string hostile = html_of_text("<script>`<b>` [<i>](x) | \"'\nhttps://x\"onclick=a");
  for (const char* part : {"<script>", "<b>", "<i>", "\"onclick"})
    EXPECT_EQ(hostile.find(part), std::string::npos) << hostile;
}

}  // namespace
