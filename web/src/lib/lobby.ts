/** Which tables of the lobby somebody wants to see. */

import type { Currency } from "./money";
import type { Account, Balance, BetSign, Brief } from "./types";

export interface Wish {
  /** A game's id; empty for all. */
  game: string;
  /** About how much, as one of the stakes to choose from; empty for any amount. */
  stake: string;
  freeOnly: boolean;
}

/** A game's title without what it adds in brackets, and that: there is not room for both everywhere. */
export function titleParts(title: string): { name: string; kind: string } {
  const [, name, kind] = /^(.*?)\s*\((.*)\)$/.exec(title) ?? [];
  return name && kind ? { name, kind } : { name: title, kind: "" };
}

/** The limits of the hands, or of the first bet where a layout has other ones. */
export function mainLimits(table: { bets: readonly BetSign[] }): Pick<BetSign, "minimum" | "maximum"> {
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
  const [currency, stake] = stakeParts(wish.stake);
  return (
    (wish.game === "" || table.game === wish.game) &&
    (wish.stake === "" || (table.currency === currency && minimum <= stake && (top === null || stake <= top))) &&
    (!wish.freeOnly || table.free.length > 0)
  );
}

function stakeParts(stake: string): [currency: string, minor: number] {
  const [currency = "", minor = ""] = stake.split(" ");
  return [currency, Number(minor)];
}

/** A stake to choose from: its key, and the amount in its currency. */
export interface Stake extends Currency {
  key: string;
  minor: number;
}

/** Stakes to choose from: the minimums of the tables, each once, by currency. */
export function stakes(tables: readonly Brief[]): Stake[] {
  const found = new Map<string, Stake>();
  for (const table of tables) {
    const { minimum: minor } = mainLimits(table);
    const key = `${table.currency} ${minor}`;
    found.set(key, { key, minor, currency: table.currency, digits: table.digits });
  }
  return [...found.values()].sort((a, b) => (a.currency === b.currency ? a.minor - b.minor : a.currency < b.currency ? -1 : 1));
}

/** What somebody has in each currency: on the account and in chips at tables. */
export function withSeats({ balances, seats = [] }: Account): (Balance & { chips: number })[] {
  const chipsIn = (currency: string): number => seats.filter((seat) => seat.currency === currency).reduce((sum, seat) => sum + seat.chips, 0);
  const all = balances.map((each) => ({ ...each, chips: chipsIn(each.currency), balance: each.balance + chipsIn(each.currency) }));
  const missing = [...new Map(seats.map((seat) => [seat.currency, seat])).values()].filter((seat) => !balances.some((each) => each.currency === seat.currency));
  return [...all, ...missing.map(({ currency, digits }) => ({ currency, digits, chips: chipsIn(currency), balance: chipsIn(currency) }))];
}
