// The look of the HTML pages: one column on a telephone, contents beside the text on a wide screen, light and
// dark.
#include "http/description/html/shell.hpp"

namespace http::html {

std::string_view style_sheet() {
  return R"css(
:root {
  color-scheme: light dark;
  --text: #1f2933; --soft: #5a6672; --line: #e2e1db; --ground: #faf9f6; --card: #ffffff;
  --code: #f4f2ec; --accent: #9c4221; --accent-soft: #f6e9e1; --good: #22683f; --good-soft: #e4f1e8;
  --warn: #8a5a00; --warn-soft: #f8edd3; --bad: #a02c2c; --bad-soft: #f9e5e3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e3e6e8; --soft: #9aa5af; --line: #333a40; --ground: #15191c; --card: #1c2125;
    --code: #23292e; --accent: #eb9b73; --accent-soft: #3a2a21; --good: #86cf9f; --good-soft: #1d3226;
    --warn: #e2bd6a; --warn-soft: #362c17; --bad: #f0978f; --bad-soft: #3b2322;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 5rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  overflow-wrap: break-word;
}
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: .06em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .88em; }
p code, li code, dd code, dt code, td code { background: var(--code); padding: .1em .3em; border-radius: 4px; }
.code pre code { background: none; padding: 0; }
h1, h2, h3, h4 { line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .5rem; }
h1 { font-size: 2rem; } h2 { font-size: 1.5rem; } h3 { font-size: 1.125rem; }
h4 { font-size: .9375rem; color: var(--soft); font-weight: 600; margin: 1.25rem 0 .25rem; }
p { margin: 0 0 .8rem; } ul, ol { margin: 0 0 .8rem; padding-left: 1.4rem; } li { margin: .25rem 0; }
header.top, .page, footer { max-width: 74rem; margin: 0 auto; padding: 0 1rem; }
header.top { padding-top: 2rem; padding-bottom: 1rem; }
header.top p, header.top .code { max-width: 44rem; }
.lead { font-size: 1.15rem; color: var(--soft); }
.skip { position: absolute; left: -999rem; } .skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem; }
nav.contents { font-size: .9375rem; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); padding: .6rem 0; }
nav.contents > ul { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: 0; padding: 0; }
nav.contents ul ul { display: none; }
nav.contents a { text-decoration: none; } nav.contents a:hover { text-decoration: underline; }
main { min-width: 0; }
main > section { padding: 2rem 0 .5rem; }
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem; margin: 0 0 1rem;
}
.card:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
.card h3 { display: flex; flex-wrap: wrap; gap: .4rem .6rem; align-items: center; overflow-wrap: anywhere; }
.card h3 code { font-size: 1rem; font-weight: 600; }
.card > :last-child { margin-bottom: 0; }
.subtle { color: var(--soft); } .small { font-size: .9rem; }
.chip {
  display: inline-block; font-size: .78rem; font-weight: 600; line-height: 1.5; padding: 0 .5em; border-radius: 99px;
  background: var(--code); color: var(--soft); white-space: nowrap;
}
.chips { display: flex; flex-wrap: wrap; gap: .4rem; margin: 0 0 .8rem; }
.chips .chip { white-space: normal; font-weight: 500; }
.get, .s2 { background: var(--good-soft); color: var(--good); }
.post { background: var(--accent-soft); color: var(--accent); }
.s4 { background: var(--warn-soft); color: var(--warn); } .s5 { background: var(--bad-soft); color: var(--bad); }
dl.fields { margin: 0 0 .8rem; }
dl.fields > div { padding: .45rem 0; border-top: 1px solid var(--line); }
dl.fields dt { display: flex; flex-wrap: wrap; gap: .1rem .6rem; align-items: baseline; }
dl.fields dt code { background: none; padding: 0; font-weight: 600; }
dl.fields dt .type { color: var(--soft); font-size: .85rem; }
dl.fields dd { margin: 0; font-size: .95rem; }
ul.answers { list-style: none; padding: 0; } ul.answers li { padding: .3rem 0; border-top: 1px solid var(--line); margin: 0; }
ul.answers .chip { margin-right: .4rem; }
.do { border-left: 3px solid var(--accent); padding-left: .8rem; margin: .4rem 0 .8rem; }
.code { position: relative; margin: 0 0 .8rem; }
.code pre {
  margin: 0; padding: .8rem 1rem; background: var(--code); border-radius: 8px; overflow: auto; line-height: 1.5;
  max-height: 32rem; white-space: pre-wrap; overflow-wrap: anywhere;
}
.code button {
  position: absolute; top: .35rem; right: .35rem; font: 600 .78rem/1.6 system-ui, sans-serif; padding: .15rem .6rem;
  color: var(--soft); background: var(--card); border: 1px solid var(--line); border-radius: 6px; cursor: pointer;
}
.code button:hover { color: var(--accent); border-color: var(--accent); }
.code.copyable pre { padding-right: 6.5rem; }
details > summary { cursor: pointer; color: var(--accent); margin: .4rem 0; }
.search { position: sticky; top: 0; z-index: 1; background: var(--ground); padding: .7rem 0; }
.search[hidden], [hidden] { display: none !important; }
.search label { position: absolute; left: -999rem; }
.search input {
  width: 100%; font: inherit; color: inherit; padding: .5rem .8rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 8px;
}
.search p { margin: .3rem 0 0; font-size: .875rem; color: var(--soft); }
.search p:empty { display: none; }
ol.steps { list-style: none; padding: 0; counter-reset: step; }
ol.steps > li { counter-increment: step; position: relative; padding: 0 0 .6rem 2.8rem; margin: 0; }
ol.steps > li::before {
  content: counter(step); position: absolute; left: 0; top: 0; width: 1.9rem; height: 1.9rem; border-radius: 99px;
  background: var(--accent-soft); color: var(--accent); font-weight: 700; text-align: center; line-height: 1.9rem;
}
ol.steps > li > h3 { padding-top: .2rem; }
.note { background: var(--accent-soft); border-radius: 8px; padding: .7rem 1rem; margin: 0 0 1rem; }
.note > :last-child { margin: 0; }
footer { padding: 2rem 1rem 3rem; color: var(--soft); font-size: .9rem; }
@media (max-width: 40rem) {
  h1 { font-size: 1.65rem; }
  .code.copyable pre { padding-right: 1rem; padding-bottom: 2.6rem; }
  .code button { top: auto; bottom: .4rem; }
  ol.steps > li { padding-left: 0; } ol.steps > li > h3 { padding-left: 2.6rem; min-height: 2rem; }
}
@media (min-width: 62rem) {
  .page { display: grid; grid-template-columns: 15rem minmax(0, 46rem); gap: 3rem; align-items: start; }
  nav.contents { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; border: 0; padding: 2rem 0; }
  nav.contents > ul { display: block; } nav.contents ul ul { display: block; list-style: none; padding: 0 0 .6rem .8rem; font-size: .875rem; }
  .card { padding: 1.25rem 1.5rem; }
  dl.fields > div { display: grid; grid-template-columns: 15rem 1fr; gap: 1rem; }
  dl.fields dt { display: block; } dl.fields dt .type { display: block; }
}
@media print { nav.contents, .search, .code button { display: none; } .card { break-inside: avoid; } }
)css";
}

}  // namespace http::html
