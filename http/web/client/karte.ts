// The account's projects on a map, in #karte: points of data-punkte, tiles of data-kacheln (none: plain ground).
// A panel instead of Leaflet's popups: those write a style attribute, which the pages' policy reports.
import * as L from "leaflet";

declare const EMPTY_PICTURE: string;

interface Point {
  name: string;
  adresse: string;
  lat: number;
  lon: number;
  url: string;
}

const NEAREST = 18;
const RADIUS = 9;
const AROUND: L.PointExpression = [40, 40];

async function pointsOf(address: string): Promise<Point[]> {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const { punkte } = (await answer.json()) as { punkte: Point[] };
  return punkte.filter((p) => Number.isFinite(p.lat) && Number.isFinite(p.lon) && (p.lat !== 0 || p.lon !== 0));
}

/** Leaflet takes it for HTML. */
function escaped(text: string): string {
  const element = document.createElement("span");
  element.textContent = text;
  return element.innerHTML;
}

function makeMap(element: HTMLElement): L.Map {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const map = L.map(element, {
    zoomControl: false,
    maxZoom: NEAREST,
    zoomAnimation: !still,
    fadeAnimation: !still,
    inertia: !still,
    dragging: !L.Browser.mobile,  // one finger scrolls the page, two move the map
    scrollWheelZoom: false,
  });
  map.attributionControl.setPrefix(false);
  L.control.zoom({ zoomInTitle: "Näher heran", zoomOutTitle: "Weiter weg" }).addTo(map);
  L.control.scale({ imperial: false }).addTo(map);
  // The wheel scrolls the page until the map is what is worked with.
  element.addEventListener("focusin", () => map.scrollWheelZoom.enable());
  element.addEventListener("focusout", () => map.scrollWheelZoom.disable());
  return map;
}

function addTiles(map: L.Map, element: HTMLElement): void {
  const tiles = element.dataset.kacheln;
  if (!tiles) {
    map.attributionControl.addAttribution("ohne Hintergrundkarte");
    return;
  }
  L.Util.emptyImageUrl = EMPTY_PICTURE;  // Leaflet's own is a data: address
  L.tileLayer(tiles, {
    maxZoom: NEAREST,
    maxNativeZoom: Number(element.dataset.zoomMax) || NEAREST,
    attribution: escaped(element.dataset.nachweis ?? ""),
  }).addTo(map);
}

class Panel extends L.Control {
  private readonly box = L.DomUtil.create("div", "map-panel card");

  override onAdd(): HTMLElement {
    L.DomEvent.disableClickPropagation(this.box);
    this.box.setAttribute("role", "status");
    this.box.hidden = true;
    return this.box;
  }
  show(point: Point): void {
    const link = document.createElement("a");
    link.href = point.url;
    link.textContent = point.name;
    const address = document.createElement("span");
    address.className = "small muted";
    address.textContent = point.adresse;
    this.box.replaceChildren(link, address);
    this.box.hidden = false;
  }
  hide(): void {
    this.box.hidden = true;
  }
}

function addPoints(map: L.Map, points: Point[]): void {
  const panel = new Panel({ position: "topright" }).addTo(map);
  let chosen: L.CircleMarker | undefined;
  const choose = (marker?: L.CircleMarker, point?: Point) => {
    chosen?.getElement()?.classList.remove("is-chosen");
    chosen = marker;
    chosen?.getElement()?.classList.add("is-chosen");
    if (point) panel.show(point);
    else panel.hide();
  };
  for (const point of points) {
    const marker = L.circleMarker([point.lat, point.lon], { radius: RADIUS, className: "map-point", bubblingMouseEvents: false });
    marker.on("click", () => choose(marker, point));
    marker.addTo(map);
  }
  map.on("click", () => choose());
}

/** Stays hidden when no project has a place. */
export async function showMap(element: HTMLElement): Promise<void> {
  const points = await pointsOf(element.dataset.punkte ?? "");
  if (points.length === 0) return;
  element.hidden = false;  // before Leaflet, which measures it
  const map = makeMap(element);
  map.fitBounds(L.latLngBounds(points.map((p) => [p.lat, p.lon])), { padding: AROUND, maxZoom: NEAREST - 1, animate: false });
  addTiles(map, element);
  addPoints(map, points);
  element.dataset.zustand = "fertig";
}
