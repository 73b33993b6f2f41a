/**
 * Whether the page is at rest: nothing asked for, nothing loading, nothing on its way across the screen. Whoever measures
 * or photographs the page waits for that, by `atRest()`.
 */

let asked = 0;

/** Something whose answer will change the page. */
export async function underWay<T>(work: Promise<T>): Promise<T> {
  asked += 1;
  try {
    return await work;
  } finally {
    asked -= 1;
  }
}

/** What goes on for ever, like a spinner, is not waited for. */
function moves(animation: Animation): boolean {
  const end = animation.effect?.getComputedTiming().endTime;
  return animation.playState !== "finished" && animation.playState !== "idle" && end !== Infinity;
}

export function atRest(): boolean {
  return asked === 0 && document.fonts.status === "loaded" && !document.getAnimations().some(moves);
}

declare global {
  interface Window {
    atRest: typeof atRest;
  }
}
