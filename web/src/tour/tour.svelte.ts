/** Which tour there is on this screen, whether it is on, and which ones this browser has seen. */

import { TOURS, readSeen, type Step, type TourName } from "./tours";

const STORED = "puntobanco.tours";

class Tours {
  /** The one of this screen, once the screen has come. */
  here = $state<TourName | null>(null);
  seen = $state<TourName[]>(readSeen(localStorage.getItem(STORED)));
  /** The steps of the one that is on; those that have nothing to point at now are left out. */
  steps = $state.raw<Step[]>([]);
  at = $state(0);
  #before: HTMLElement | null = null;

  offered = $derived(this.here !== null && this.steps.length === 0 && !this.seen.includes(this.here));

  start(): void {
    if (!this.here) return;
    this.#before = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    this.steps = TOURS[this.here].steps.filter((step) => find(step) !== null);
    this.at = 0;
  }

  /** It is over, or not wanted; whatever had the focus before has it again. */
  end(): void {
    if (this.here && !this.seen.includes(this.here)) {
      this.seen = [...this.seen, this.here];
      localStorage.setItem(STORED, JSON.stringify(this.seen));
    }
    this.steps = [];
    const back = this.#before?.isConnected && this.#before !== document.body ? this.#before : document.getElementById("content");
    this.#before = null;
    back?.focus({ preventScroll: true });
  }

  /** Another screen: what was on is not over, and is offered there again. */
  leave(): void {
    this.here = null;
    this.steps = [];
    this.#before = null;
  }
}

export const tours = new Tours();

/** What a step points at, if it is on the screen. */
export function find(step: Step): HTMLElement | null {
  for (const selector of step.at) {
    for (const found of document.querySelectorAll<HTMLElement>(selector)) if (found.getClientRects().length > 0) return found;
  }
  return null;
}
