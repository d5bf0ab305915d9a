// Keys, buttons and words of the 3D view. Everything that a drag does, a key and a button do, too.

export interface Deeds {
  turn(steps: number): void;
  tilt(steps: number): void;
  nearer(): void;
  farther(): void;
  reset(): void;
}

const HINT_ID = "modell-hinweis";

export function say(view: HTMLElement, text: string): void {
  const line = document.createElement("p");
  line.className = "notice";
  line.setAttribute("role", "status");
  line.textContent = text;
  view.replaceChildren(line);
}

/** A sentence needs no room for a picture. */
export function giveUp(view: HTMLElement, state: string, text: string): void {
  view.style.height = "auto";
  view.dataset.zustand = state;
  say(view, text);
}

function deedOfKey(key: string, deeds: Deeds): (() => void) | undefined {
  const all: Record<string, () => void> = {
    ArrowLeft: () => deeds.turn(1),
    ArrowRight: () => deeds.turn(-1),
    ArrowUp: () => deeds.tilt(1),
    ArrowDown: () => deeds.tilt(-1),
    "+": () => deeds.nearer(),
    "-": () => deeds.farther(),
    Home: () => deeds.reset(),
  };
  return Object.prototype.hasOwnProperty.call(all, key) ? all[key] : undefined;
}

export function addKeys(canvas: HTMLCanvasElement, deeds: Deeds): void {
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", "3D-Modell des Hauses");
  canvas.setAttribute("aria-describedby", HINT_ID);
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const deed = deedOfKey(event.key, deeds);
    if (!deed) return;
    event.preventDefault();  // the page would scroll
    deed();
  });
}

function button(sign: string, label: string, deed: () => void): HTMLButtonElement {
  const one = document.createElement("button");
  one.type = "button";
  one.className = "button";
  one.textContent = sign;
  if (label !== sign) one.setAttribute("aria-label", label);
  one.addEventListener("click", deed);
  return one;
}

export function addButtons(view: HTMLElement, deeds: Deeds): void {
  const line = document.createElement("div");
  line.className = "toolbar";
  line.setAttribute("role", "group");
  line.setAttribute("aria-label", "3D-Ansicht bewegen");
  line.append(
    button("←", "Nach links drehen", () => deeds.turn(1)),
    button("→", "Nach rechts drehen", () => deeds.turn(-1)),
    button("↑", "Von weiter oben sehen", () => deeds.tilt(1)),
    button("↓", "Von weiter unten sehen", () => deeds.tilt(-1)),
    button("+", "Näher heran", () => deeds.nearer()),
    button("−", "Weiter weg", () => deeds.farther()),
    button("Zurücksetzen", "Zurücksetzen", () => deeds.reset()),
  );
  if (document.fullscreenEnabled) line.append(button("Vollbild", "Vollbild", () => void view.requestFullscreen().catch(() => {})));
  const hint = document.createElement("p");
  hint.id = HINT_ID;
  hint.className = "small muted";
  hint.textContent = "Ziehen dreht, mit der rechten Taste oder zwei Fingern verschiebt es. Tasten: Pfeile drehen, + und − zoomen, Pos1 setzt zurück.";
  view.after(line, hint);
}
