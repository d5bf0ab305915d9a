// The documentation's script: a search over its parts, and a button that copies a command. Without scripts
// the page only lacks these two.
#include "http/description/html/shell.hpp"

namespace http::html {

std::string_view documentation_script() {
  return R"js(
'use strict';
(() => {
  const frame = document.getElementById('suche');
  const field = document.getElementById('suchfeld');
  const report = document.getElementById('treffer');
  const parts = [...document.querySelectorAll('[data-part]')];
  const texts = parts.map(part => part.textContent.toLowerCase());
  const sections = [...document.querySelectorAll('main > section')];

  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let hits = 0;
    parts.forEach((part, i) => {
      part.hidden = !words.every(word => texts[i].includes(word));
      if (!part.hidden) hits += 1;
    });
    sections.forEach(section => {
      section.hidden = words.length > 0 && !section.querySelector('[data-part]:not([hidden])');
    });
    report.textContent = words.length === 0 ? '' :
      hits === 0 ? 'Nichts gefunden. Versuchen Sie einen Feldnamen oder einen Fehlercode.' :
      hits === 1 ? '1 Treffer' : hits + ' Treffer';
  };
  field.addEventListener('input', search);
  window.addEventListener('hashchange', () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || target.offsetParent) return;
    field.value = '';
    search();
    target.scrollIntoView();
  });
  document.addEventListener('keydown', event => {
    if (event.key === '/' && document.activeElement !== field) { event.preventDefault(); field.focus(); }
    if (event.key === 'Escape' && document.activeElement === field) { field.value = ''; search(); }
  });
  frame.hidden = false;

  const copy = async block => {
    const text = block.querySelector('code').textContent;
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    getSelection().selectAllChildren(block.querySelector('code'));
    document.execCommand('copy');
  };
  document.querySelectorAll('.code').forEach(block => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Kopieren';
    button.addEventListener('click', async () => {
      try { await copy(block); button.textContent = 'Kopiert'; } catch { button.textContent = 'Ging nicht'; }
      setTimeout(() => { button.textContent = 'Kopieren'; }, 1500);
    });
    block.classList.add('copyable');
    block.append(button);
  });
})();
)js";
}

}  // namespace http::html
