// The documentation's search: parts marked with data-suche that have all words stay, with the sections they are in.

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

function report(words: string[], hits: number): string {
  if (words.length === 0) return "";
  if (hits === 0) return "Nichts gefunden. Versuchen Sie einen Feldnamen oder einen Fehlercode.";
  return hits === 1 ? "1 Treffer" : hits + " Treffer";
}

export function offerSearch(frame: HTMLElement): void {
  const field = frame.querySelector<HTMLInputElement>("#suchfeld");
  const told = frame.querySelector<HTMLElement>("#treffer");
  if (!field || !told) return;
  const parts = [...document.querySelectorAll<HTMLElement>("[data-suche]")];
  const texts = parts.map((part) => part.textContent?.toLowerCase() ?? "");
  const sections = document.querySelectorAll<HTMLElement>(".docs-text > section");

  const search = (): void => {
    const words = wordsOf(field.value);
    parts.forEach((part, i) => {
      part.hidden = !words.every((word) => texts[i].includes(word));
    });
    for (const section of sections)
      section.hidden = words.length > 0 && !section.querySelector("[data-suche]:not([hidden])");
    told.textContent = report(words, parts.filter((part) => !part.hidden).length);
  };
  const forget = (): void => {
    field.value = "";
    search();
  };
  field.addEventListener("input", search);
  // A link to what the search has hidden.
  window.addEventListener("hashchange", () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || target.offsetParent) return;
    forget();
    target.scrollIntoView();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select");
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      field.focus();
    }
    if (event.key === "Escape" && event.target === field) forget();
  });
  frame.hidden = false;
}
