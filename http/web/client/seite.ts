// Every page's script: copy buttons, surfaces that light up together, a running analysis, passkeys, the documentation's search, and
// the two larger modules where a page has a place for them. The build writes their addresses (bundle.cmake).
import { offerCopying } from "./kopieren";
import { followRun } from "./lauf";
import { linkSurfaces } from "./flaechen";
import { offerPasskeys } from "./passkey";
import { offerSearch } from "./suche";

declare const MODEL_SCRIPT: string;
declare const MAP_SCRIPT: string;
declare const MAP_STYLE: string;

type ModelModule = typeof import("./modell");
type MapModule = typeof import("./karte");

/** Three.js is 20 times this script: it comes with the click that asks for the model. */
function offerModel(section: HTMLElement): void {
  const button = section.querySelector<HTMLButtonElement>("#modell-zeigen");
  const view = section.querySelector<HTMLElement>("#modell-ansicht[data-src]");
  if (!button || !view) return;
  section.hidden = false;
  button.addEventListener("click", async (click) => {
    button.disabled = true;
    button.textContent = "3D-Ansicht wird geladen …";
    let shown = false;
    try {
      const { showModel } = (await import(MODEL_SCRIPT)) as ModelModule;
      shown = await showModel(view);
    } catch {
      view.dataset.zustand = "fehler";
    }
    button.hidden = shown;
    button.disabled = false;
    button.textContent = "3D-Ansicht noch einmal laden";
    // The button that had the focus is gone. After a mouse's click the wheel shall go on scrolling the page.
    if (shown && click.detail === 0) view.querySelector("canvas")?.focus({ preventScroll: true });
  });
}

function styleSheet(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(address));
    document.head.append(link);
  });
}

/** Without the map the table below says all of it. */
async function offerMap(map: HTMLElement): Promise<void> {
  try {
    const [{ showMap }] = await Promise.all([import(MAP_SCRIPT) as Promise<MapModule>, styleSheet(MAP_STYLE)]);
    await showMap(map);
  } catch {
    map.hidden = true;
  }
}

function start(): void {
  offerCopying();
  const model = document.getElementById("modell");
  if (model) offerModel(model);
  const map = document.getElementById("karte");
  if (map) void offerMap(map);
  const run = document.getElementById("stand");
  if (run) followRun(run, start);
}

linkSurfaces();
offerPasskeys();
const search = document.getElementById("doku-suche");
if (search) offerSearch(search);
start();
