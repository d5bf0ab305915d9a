// What page_checks.cpp asks of the open page: arguments are the question's name and what it needs.
const visible = e => e.checkVisibility({visibilityProperty: true, opacityProperty: false}) &&
    e.getClientRects().length > 0 && !e.closest('[inert]');

const short = text => (text || '').replace(/\s+/g, ' ').trim().slice(0, 40);

// Enough to find it again in the source.
const described = e => {
  const kind = e.tagName.toLowerCase() + (e.id ? `#${e.id}` : '') +
      (e.classList.length ? `.${[...e.classList].join('.')}` : '') + (e.name ? `[name=${e.name}]` : '');
  const words = short(e.getAttribute('aria-label') || e.innerText || e.value || e.href);
  return words ? `${kind} »${words}«` : kind;
};

// One of a group of radio buttons stands for all: arrows go to the others.
const focusable = () => {
  const groups = new Set();
  return [...document.querySelectorAll(
      'a[href], area[href], button, input:not([type=hidden]), select, textarea, summary, iframe, ' +
      '[tabindex], [contenteditable=""], [contenteditable=true]')].filter(e => {
    if (e.disabled || e.tabIndex < 0 || !visible(e) || e.matches(':disabled')) return false;
    if (e.tagName === 'SUMMARY' && e !== e.parentElement?.querySelector(':scope > summary')) return false;
    if (e.type !== 'radio' || !e.name) return true;
    const group = `${e.form?.id}/${e.name}`;
    return !groups.has(group) && groups.add(group);
  });
};

// In a drawing the lines of what a link holds stand for its outline.
const ring = e => {
  const style = getComputedStyle(e);
  const outline = style.outlineStyle === 'none' || parseFloat(style.outlineWidth) === 0 ?
      'none' : `${style.outlineStyle} ${style.outlineWidth} ${style.outlineColor}`;
  const lines = e instanceof SVGElement ? [e, ...e.querySelectorAll('*')].map(
      part => `${getComputedStyle(part).stroke} ${getComputedStyle(part).strokeWidth}`).join() : '';
  return `${outline}; ${style.boxShadow}${lines}`;
};

const scrolls_itself = e => {
  for (let p = e.parentElement; p && p !== document.body; p = p.parentElement)
    if (/auto|scroll|hidden|clip/.test(getComputedStyle(p).overflowX)) return true;
  return false;
};

// Text that is read, with the element it stands in, and texts in attributes.
const texts = function*(left_out) {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (e.closest('script, style, noscript, template')) continue;
    yield {e, text: walker.currentNode.textContent, name: left_out && e.closest(left_out)};
  }
  for (const e of document.querySelectorAll('[title], [alt], [aria-label], [placeholder]'))
    for (const a of ['title', 'alt', 'aria-label', 'placeholder'])
      if (e.hasAttribute(a)) yield {e, text: e.getAttribute(a), name: left_out && e.closest(left_out)};
  yield {e: document.head, text: document.title, name: false};
};

const questions = {
  // Colours that are on their way are at their end.
  settle: () => document.getAnimations().forEach(a => { try { a.finish(); } catch { /* it has no end */ } }),

  structure: language => {
    const faults = [], headings = document.querySelectorAll('h1').length;
    const spoken = document.documentElement.lang;
    if (spoken !== language) faults.push(`language "${spoken}"`);
    if (!document.title.trim()) faults.push('no title');
    if (headings !== 1) faults.push(`${headings} h1`);
    for (const loaded of performance.getEntriesByType('resource'))
      if (/^https?:/.test(loaded.name) && new URL(loaded.name).origin !== location.origin)
        faults.push(`asks for ${loaded.name}`);
    return faults;
  },

  leftovers: names_in => {
    const faults = [];
    for (const {e, text, name} of texts(names_in)) {
      const brace = text.match(/.{0,20}(\{\{|\}\}).{0,20}/);
      if (brace && !e.closest('code, pre')) faults.push(`left over by a template: ${brace[0]} in ${described(e)}`);
      const key = text.match(/(^|[\s("„»])([a-zäöüß]+(?:_[a-zäöüß0-9]+)+)(?=$|[\s.,:;)"“«])/);
      if (key && !name) faults.push(`like a key: ${key[2]} in ${described(e)}`);
      const bad = text.match(/(^|\s)(undefined|NaN|\[object Object\]|-?nan|inf)(?=$|[\s.,])/);
      if (bad && !name) faults.push(`no text for people: ${bad[2]} in ${described(e)}`);
    }
    return [...new Set(faults)];
  },

  width: () => {
    const page = document.scrollingElement, faults = [];
    if (page.scrollWidth <= innerWidth) return faults;
    faults.push(`${page.scrollWidth} px wide in ${innerWidth} px`);
    for (const e of document.querySelectorAll('body *'))
      if (visible(e) && e.getBoundingClientRect().right > innerWidth + 1 && !scrolls_itself(e) && faults.length < 6)
        faults.push(`reaches ${Math.round(e.getBoundingClientRect().right)} px: ${described(e)}`);
    return faults;
  },

  // The next Tab leads to the page's first element. Styles without focus are kept for comparison.
  before_tab: () => {
    document.activeElement?.blur();
    const body = document.body, had = body.getAttribute('tabindex');
    body.tabIndex = -1;
    body.focus({preventScroll: true});
    had === null ? body.removeAttribute('tabindex') : body.setAttribute('tabindex', had);
    window.lookAtPage = {rings: new Map(), reached: new Set()};
    for (const e of document.querySelectorAll('body *')) window.lookAtPage.rings.set(e, ring(e));
  },

  // null at the end and when it begins again
  after_tab: () => {
    const e = document.activeElement, kept = window.lookAtPage;
    if (!e || e === document.body || e === document.documentElement || kept.reached.has(e)) return null;
    kept.reached.add(e);
    for (const animation of e.getAnimations()) { try { animation.finish(); } catch { /* it has no end */ } }
    const now = ring(e);
    return {element: described(e), is_seen: now !== kept.rings.get(e) && now !== 'none; none'};
  },

  not_reached: () => focusable().filter(e => ![...window.lookAtPage.reached].some(
      r => r === e || (r.type === 'radio' && e.type === 'radio' && r.name === e.name && r.form === e.form)))
      .map(described),
};

return questions[arguments[0]](...[...arguments].slice(1)) ?? null;
