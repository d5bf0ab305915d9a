// Buttons that copy the text of the element they name: <button data-kopieren="ID" hidden>.

const TOLD_MS = 2500;

/** One place for what is said to screen readers: a button's changed words are not read by all. */
function announce(text: string): void {
  let place = document.getElementById("kopiert-ansage");
  if (!place) {
    place = document.createElement("p");
    place.id = "kopiert-ansage";
    place.className = "visually-hidden";
    place.setAttribute("role", "status");
    document.body.append(place);
  }
  place.textContent = text;
}

function select(element: HTMLElement): void {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

/** Browsers give the clipboard to https and loopback alone: elsewhere the text is marked, to be copied by hand. */
async function copy(element: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(element.textContent ?? "");
    return true;
  } catch {
    select(element);
    return false;
  }
}

function offer(button: HTMLButtonElement, element: HTMLElement): void {
  const words = button.textContent;
  let timer = 0;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const told = (await copy(element)) ? "Kopiert" : "Markiert: Strg+C";
    button.textContent = told;
    announce(told);
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      button.textContent = words;
      announce("");
    }, TOLD_MS);
  });
}

export function offerCopying(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-kopieren][hidden]")) {
    const element = document.getElementById(button.dataset.kopieren ?? "");
    if (element) offer(button, element);
  }
}
