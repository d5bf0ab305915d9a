// A running analysis: asks for the page itself and puts its #stand in the place of this one, and the finished page into <main>.

const PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 30000;
const NOTE = ".no-script-note";

/** Pauses grow while the service does not answer. A 429 or 503 says itself how long. */
function pauseAfter(failures: number, answer?: Response): number {
  const asked = Number(answer?.headers.get("Retry-After")) * 1000;
  return Math.max(Math.min(PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS), Number.isFinite(asked) ? asked : 0);
}

/** A page in the background waits until it is looked at. */
async function nextTurn(pause_ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, pause_ms));
  while (document.hidden)
    await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
}

async function pageAt(address: string): Promise<{ answer?: Response; page?: Document }> {
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" }, cache: "no-store" });
    return answer.ok ? { answer, page: new DOMParser().parseFromString(await answer.text(), "text/html") } : { answer };
  } catch {
    return {};
  }
}

function takeNote(run: HTMLElement, text: string): void {
  const note = run.querySelector(NOTE);
  if (note && note.textContent !== text) note.textContent = text;
}

/** Only what differs: screen readers read what is put in, and would read the same steps every time. */
function bringUp(run: HTMLElement, fresh: HTMLElement): void {
  takeNote(fresh, "");
  takeNote(run, "");
  if (run.innerHTML !== fresh.innerHTML) run.replaceChildren(...Array.from(fresh.childNodes));
}

function showFinished(fresh: Document, again: () => void): void {
  const old = document.querySelector("main");
  const main = fresh.querySelector("main");
  if (!old || !main) return location.reload();
  document.title = fresh.title;
  old.replaceWith(main);
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
  again();
}

/** `again` sets up a page's scripts, for the one that is shown in the end. */
export async function followRun(run: HTMLElement, again: () => void): Promise<void> {
  const address = run.dataset.standUrl || location.pathname;
  takeNote(run, "");
  for (let failures = 0, pause_ms = PAUSE_MS; ; ) {
    await nextTurn(pause_ms);
    const { answer, page } = await pageAt(address);
    // Signed out meanwhile, or the project is gone: the server's own page says it.
    if (answer?.redirected || answer?.status === 404 || answer?.status === 403) return location.reload();
    failures = page ? 0 : failures + 1;
    pause_ms = pauseAfter(failures, answer);
    if (!page) {
      takeNote(run, "Der Dienst antwortet gerade nicht. Die Seite versucht es weiter.");
      continue;
    }
    const fresh = page.getElementById("stand");
    if (!fresh) return showFinished(page, again);
    bringUp(run, fresh);
  }
}
