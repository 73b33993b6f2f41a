/** Which tables of the lobby somebody wants to see. */

import type { BetSign, Brief } from "./types";

export interface Wish {
  /** A game's id; empty for all. */
  game: string;
  /** About how much, in minor units; null for any amount. */
  stake: number | null;
  freeOnly: boolean;
}

/** A game's title without what it adds in brackets, and that: there is not room for both everywhere. */
export function titleParts(title: string): { name: string; kind: string } {
  const [, name, kind] = /^(.*?)\s*\((.*)\)$/.exec(title) ?? [];
  return name && kind ? { name, kind } : { name: title, kind: "" };
}

/** The limits of the hands, or of the first bet where a layout has other ones. */
export function mainLimits(table: Brief): Pick<BetSign, "minimum" | "maximum"> {
  const hands = table.bets.filter((bet) => bet.code === "player" || bet.code === "banker");
  const bets = hands.length ? hands : table.bets.slice(0, 1);
  const tops = bets.map((bet) => bet.maximum ?? null);
  return {
    minimum: Math.min(...bets.map((bet) => bet.minimum)),
    maximum: tops.includes(null) ? null : Math.max(...(tops as number[])),
  };
}

export function wanted(table: Brief, wish: Wish): boolean {
  const { minimum, maximum } = mainLimits(table);
  const top = maximum ?? null;
  return (
    (wish.game === "" || table.game === wish.game) &&
    (wish.stake === null || (minimum <= wish.stake && (top === null || wish.stake <= top))) &&
    (!wish.freeOnly || table.free.length > 0)
  );
}

/** Stakes to choose from: the minimums of the tables, each once. */
export function stakes(tables: readonly Brief[]): number[] {
  return [...new Set(tables.map((table) => mainLimits(table).minimum))].sort((a, b) => a - b);
}
