// The 3D model of a project, in #modell-ansicht[data-src].
import { Box3, DirectionalLight, HemisphereLight, Mesh, Object3D, PCFShadowMap, PerspectiveCamera, Scene, Sphere, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

import { readModel } from "./glb";
import { addButtons, addKeys, Deeds, giveUp, say } from "./modell_bedienung";

const GROUND = "Gelände";
const FROM = new Vector3(0.5, 0.75, 1);  // south-east, from above: x is east, y up, z south
const SUN = new Vector3(-0.6, 1.3, 1);
const OPENING_DEGREES = 38;
const SHARPEST = 2;  // pixels a point: more costs time and shows nothing
const STEP = Math.PI / 18;
const ZOOM = 0.85;

/** Of the house; the ground around it would make it small. */
function houseOf(model: Object3D): Sphere {
  const house = new Box3();
  model.traverse((part) => {
    if (part instanceof Mesh && part.name !== GROUND) house.expandByObject(part);
  });
  if (house.isEmpty()) house.setFromObject(model);
  return house.getBoundingSphere(new Sphere());
}

function throwShadows(model: Object3D): void {
  model.traverse((part) => {
    if (!(part instanceof Mesh)) return;
    part.castShadow = part.name !== GROUND;
    part.receiveShadow = true;
  });
}

function addLight(scene: Scene, house: Sphere): void {
  scene.add(new HemisphereLight(0xffffff, 0x9a9080, 2.2));
  const sun = new DirectionalLight(0xfff3e0, 2.4);
  sun.position.copy(house.center).addScaledVector(SUN.clone().normalize(), house.radius * 3);
  sun.target.position.copy(house.center);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.normalBias = 0.05;
  const frame = sun.shadow.camera;
  frame.left = frame.bottom = -1.6 * house.radius;
  frame.right = frame.top = 1.6 * house.radius;
  frame.near = 0.1;
  frame.far = house.radius * 6;
  scene.add(sun, sun.target);
}

/** So far away that the house fills the picture in its shorter direction. */
function distanceFor(house: Sphere, camera: PerspectiveCamera): number {
  const half = (camera.fov * Math.PI) / 360;
  return (house.radius * 0.92) / Math.sin(Math.min(half, Math.atan(Math.tan(half) * camera.aspect)));
}

function placeCamera(camera: PerspectiveCamera, controls: OrbitControls, house: Sphere): void {
  const distance = distanceFor(house, camera);
  camera.near = house.radius / 50;
  camera.far = house.radius * 60;
  camera.position.copy(house.center).addScaledVector(FROM.clone().normalize(), distance);
  camera.updateProjectionMatrix();
  controls.target.copy(house.center);
  controls.minDistance = house.radius / 3;
  controls.maxDistance = distance * 3;
  controls.maxPolarAngle = Math.PI / 2 - 0.03;  // not from below the ground
  controls.maxTargetRadius = house.radius * 1.5;
  controls.cursor.copy(house.center);
  controls.update();
  controls.saveState();
}

/** Draws only when something has changed: a page that lies open costs no battery. */
function drawOnDemand(draw: () => boolean): () => void {
  let waiting = false;
  const request = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (draw()) request();
    });
  };
  return request;
}

function fit(view: HTMLElement, renderer: WebGLRenderer, camera: PerspectiveCamera): void {
  const width = Math.max(1, view.clientWidth);
  const height = Math.max(1, view.clientHeight);
  renderer.setPixelRatio(Math.min(devicePixelRatio, SHARPEST));
  renderer.setSize(width, height, false);
  camera.aspect = width / height;
  camera.updateProjectionMatrix();
}

/** What is left of a swing would turn the view away again. */
function reset(controls: OrbitControls): void {
  const swings = controls.enableDamping;
  controls.enableDamping = false;
  controls.update();
  controls.reset();
  controls.enableDamping = swings;
}

function deedsOf(controls: OrbitControls): Deeds {
  return {
    turn: (steps) => controls.rotateLeft(steps * STEP),
    tilt: (steps) => controls.rotateUp(steps * STEP),
    nearer: () => controls.dollyIn(ZOOM),
    farther: () => controls.dollyOut(ZOOM),
    reset: () => reset(controls),
  };
}

/** Swinging on after a drag is motion nobody asked for when the system says so. */
function mindMotion(controls: OrbitControls): void {
  const less = matchMedia("(prefers-reduced-motion: reduce)");
  const follow = () => (controls.enableDamping = !less.matches);
  less.addEventListener("change", follow);
  follow();
}

/** The wheel scrolls the page until the view is what is worked with. */
function zoomWhenFocused(canvas: HTMLCanvasElement, controls: OrbitControls): void {
  controls.enableZoom = false;
  canvas.addEventListener("focus", () => (controls.enableZoom = true));
  canvas.addEventListener("blur", () => (controls.enableZoom = false));
}

/** Nothing without WebGL. The context is made here, since three.js fills the console when it cannot make it. */
function makeRenderer(): WebGLRenderer | undefined {
  const canvas = document.createElement("canvas");
  // Transparent: the ground is the style sheet's, which knows light and dark.
  const context = canvas.getContext("webgl2", { antialias: true, alpha: true });
  if (!context) return undefined;
  const renderer = new WebGLRenderer({ canvas, context });
  renderer.setClearAlpha(0);
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.shadowMap.autoUpdate = false;
  renderer.shadowMap.needsUpdate = true;
  return renderer;
}

function showScene(view: HTMLElement, renderer: WebGLRenderer, model: Object3D): void {
  const canvas = renderer.domElement;
  const scene = new Scene();
  const house = houseOf(model);
  const camera = new PerspectiveCamera(OPENING_DEGREES);
  throwShadows(model);
  scene.add(model);
  addLight(scene, house);
  view.style.height = "";
  view.replaceChildren(canvas);
  const controls = new OrbitControls(camera, canvas);
  fit(view, renderer, camera);
  placeCamera(camera, controls, house);
  mindMotion(controls);
  zoomWhenFocused(canvas, controls);
  const request = drawOnDemand(() => {
    const moving = controls.update();
    renderer.render(scene, camera);
    return moving;
  });
  controls.addEventListener("change", request);
  canvas.addEventListener("webglcontextrestored", () => {
    renderer.shadowMap.needsUpdate = true;
    request();
  });
  new ResizeObserver(() => {
    fit(view, renderer, camera);
    request();
  }).observe(view);
  addKeys(canvas, deedsOf(controls));
  addButtons(view, deedsOf(controls));
  request();
}

/** Loads and shows the model; false when it could not be loaded and another try may help. */
export async function showModel(view: HTMLElement): Promise<boolean> {
  view.hidden = false;
  view.dataset.zustand = "laedt";
  const renderer = makeRenderer();
  if (!renderer) {
    giveUp(view, "ohne-webgl", "Dieser Browser zeigt kein 3D (WebGL fehlt oder ist abgeschaltet). Die GLB-Datei unten öffnet jedes 3D-Programm.");
    return true;
  }
  say(view, "Das Modell wird geladen …");
  try {
    showScene(view, renderer, await readModel(view.dataset.src ?? ""));
  } catch {
    renderer.dispose();
    giveUp(view, "fehler", "Das Modell konnte nicht geladen werden. Versuchen Sie es noch einmal, oder laden Sie unten die GLB-Datei.");
    return false;
  }
  view.dataset.zustand = "fertig";
  return true;
}
