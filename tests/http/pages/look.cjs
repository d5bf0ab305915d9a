// Opens each page in Chromium at telephone and desktop width. Faults: anything in the console (a violated
// Content-Security-Policy among them), a request that fails or goes elsewhere, a page wider than the window, text
// too small to read, a search that does not find. usage: node look.cjs BASE_URL FOLDER
const {chromium} = require('playwright-core');

const [base, folder] = process.argv.slice(2);
const windows = {telefon: {width: 360, height: 740}, rechner: {width: 1280, height: 900}};
const faults = [];

async function look(browser, page_name, window_name) {
  const context = await browser.newContext({viewport: windows[window_name]});
  const page = await context.newPage();
  const where = `${page_name}, ${window_name}`;
  page.on('console', message => faults.push(`${where}: console: ${message.text()}`));
  page.on('pageerror', error => faults.push(`${where}: ${error}`));
  page.on('requestfailed', request => faults.push(`${where}: ${request.url()} failed`));
  page.on('request', request => {
    if (new URL(request.url()).origin !== new URL(base).origin) faults.push(`${where}: asks for ${request.url()}`);
  });
  await page.goto(`${base}/${page_name}`, {waitUntil: 'load'});
  const seen = await page.evaluate(() => {
    const small = [...document.querySelectorAll('body *')].filter(
        e => e.childNodes.length && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) &&
            parseFloat(getComputedStyle(e).fontSize) < 11 && e.offsetParent);
    const wide = [...document.querySelectorAll('body *')].filter(e => {
      const box = e.getBoundingClientRect();
      if (!box.width || box.right <= innerWidth + 1) return false;
      for (let p = e.parentElement; p; p = p.parentElement)
        if (/auto|scroll|hidden/.test(getComputedStyle(p).overflowX)) return false;
      return true;
    });
    return {
      width: document.documentElement.scrollWidth, window: innerWidth, lang: document.documentElement.lang,
      headings: document.querySelectorAll('h1').length, title: document.title,
      small: small.slice(0, 5).map(e => e.outerHTML.slice(0, 80)),
      wide: wide.slice(0, 5).map(e => e.outerHTML.slice(0, 80)),
    };
  });
  if (seen.width > seen.window) faults.push(`${where}: ${seen.width} px wide in ${seen.window} px`);
  for (const e of seen.wide) faults.push(`${where}: reaches beyond the window: ${e}`);
  for (const e of seen.small) faults.push(`${where}: under 11 px: ${e}`);
  if (seen.lang !== 'de' || seen.headings !== 1 || !seen.title) faults.push(`${where}: language, heading or title`);
  await page.screenshot({path: `${folder}/${page_name}-${window_name}.png`});
  await page.screenshot({path: `${folder}/${page_name}-${window_name}-ganz.png`, fullPage: true});
  const search = await page.$('input[type=search]');
  if (search && page_name === 'doku') {
    const visible = () => page.evaluate(
        () => [...document.querySelectorAll('[id^=fehler-]')].filter(e => e.offsetParent).map(e => e.id));
    const before = await visible();
    await search.fill('kein_dach');
    const after = await visible();
    if (!after.includes('fehler-kein_dach') || after.length >= before.length)
      faults.push(`${where}: the search for kein_dach leaves ${after.length} of ${before.length} errors`);
    await page.screenshot({path: `${folder}/${page_name}-${window_name}-suche.png`});
  } else if (page_name === 'doku') {
    faults.push(`${where}: no search`);
  }
  await context.close();
}

(async () => {
  const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox']});
  for (const page_name of ['doku', 'anleitung'])
    for (const window_name of Object.keys(windows)) await look(browser, page_name, window_name);
  await browser.close();
  for (const fault of faults) console.error(fault);
  console.log(`browser: ${faults.length} faults; pictures in ${folder}`);
  process.exit(faults.length ? 1 : 0);
})();
