/** Bets that a player has put by under one game, to be made again with one tap; this browser keeps them. */

import type { Chips } from "./betting";

/** What lies in one box, without the box: it is made in the box that is shown. */
export type Saved = readonly { readonly bet: string; readonly amount: number }[];

export const MOST_SAVED = 6;

/** What is kept in the browser; anything else counts as nothing. */
export function readSaved(stored: string | null): Saved[] {
  try {
    const read: unknown = JSON.parse(stored ?? "[]");
    if (!Array.isArray(read)) return [];
    const whole = (amount: unknown): boolean => Number.isSafeInteger(amount) && Number(amount) > 0;
    const isBet = (each: unknown): boolean => typeof each === "object" && each !== null && typeof (each as { bet?: unknown }).bet === "string" && whole((each as { amount?: unknown }).amount);
    return (read as unknown[]).filter((each): each is Saved => Array.isArray(each) && each.length > 0 && each.every(isBet)).slice(0, MOST_SAVED);
  } catch {
    return [];
  }
}

/** With what lies in a box now; the same bets are kept once. */
export function withSaved(saved: readonly Saved[], chips: readonly Chips[], box: number): Saved[] {
  const fresh = chips.filter((each) => each.box === box).map(({ bet, amount }) => ({ bet, amount })).sort((one, other) => (one.bet < other.bet ? -1 : 1));
  const key = JSON.stringify(fresh);
  if (fresh.length === 0 || saved.some((each) => JSON.stringify(each) === key)) return [...saved];
  return [fresh, ...saved].slice(0, MOST_SAVED);
}
