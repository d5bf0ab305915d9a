// A roof surface is there twice, in the picture and in the list, both with data-flaeche="N": what is pointed at or focused
// lights up the other. The style sheet does it for the first 24 without a script.

const ACTIVE = "is-active";

function light(number: string | undefined): void {
  for (const lit of document.querySelectorAll("." + ACTIVE)) lit.classList.remove(ACTIVE);
  if (number === undefined) return;
  for (const one of document.querySelectorAll("[data-flaeche]"))
    if ((one as HTMLElement | SVGElement).dataset.flaeche === number) one.classList.add(ACTIVE);
}

function numberAt(target: EventTarget | null): string | undefined {
  const one = target instanceof Element ? target.closest<HTMLElement>("[data-flaeche]") : null;
  return one?.dataset.flaeche;
}

/** On the document, so that it holds for what comes into the page later. What is focused stays lit when the pointer leaves. */
export function linkSurfaces(): void {
  let focused: string | undefined;
  document.addEventListener("focusin", (event) => light((focused = numberAt(event.target))));
  document.addEventListener("focusout", () => light((focused = undefined)));
  document.addEventListener("pointerover", (event) => light(numberAt(event.target) ?? focused));
  document.documentElement.addEventListener("pointerleave", () => light(focused));
}
