/** Cards by keyboard: a rank key (A 2–9 T J Q K; 0 for ten, 1 for the ace), then a suit key (s h d c). */

import type { Rank, Suit } from "./cards";
import type { Card } from "./types";

export const RANKS: readonly Rank[] = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
export const SUITS: readonly Suit[] = ["s", "h", "d", "c"];

export interface Keyed {
  /** The rank that waits for its suit. */
  rank: Rank | "";
  card?: Card;
}

/** What a key makes of the rank that was keyed before; null where the key has nothing to do with cards. */
export function keyCard(rank: Rank | "", key: string): Keyed | null {
  const suit = SUITS.find((each) => each === key.toLowerCase());
  if (suit !== undefined) return rank === "" ? null : { rank: "", card: `${rank}${suit}` };
  const next = key === "0" ? "T" : key === "1" ? "A" : RANKS.find((each) => each === key.toUpperCase());
  return next === undefined ? null : { rank: next };
}
