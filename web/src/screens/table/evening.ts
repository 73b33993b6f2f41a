/**
 * What a player has played at a table since he sat down, as this browser has seen it: each round with its cards and what
 * it brought. The record of the house is the receipt; this is what one looks back at during the evening.
 */

import type { Card, Payment, View } from "../../lib/types";

export interface Played {
  shoe: number;
  round: number;
  player: Card[];
  banker: Card[];
  totals: [player: number, banker: number];
  payments: Payment[];
}

export interface Kept {
  /** When it began, in milliseconds since 1970. */
  since: number;
  rounds: Played[];
}

const MOST = 200;
const profitOf = (payments: readonly Payment[]): number => payments.flatMap((payment) => payment.lines).reduce((sum, line) => sum + line.profit, 0);

/** What is kept once this view is seen: payments are those of the round that was settled last, and of rounds settled again. */
export function noted(kept: Kept, { public: seen, own }: Pick<View, "public" | "own">): Kept {
  if (!own) return kept;
  const { number: shoe } = seen.shoe;
  let rounds = kept.rounds;
  for (const number of new Set([...own.payments, ...own.again].map((payment) => payment.round))) {
    const again = own.again.filter((payment) => payment.round === number);
    const boxes = new Set(again.map((payment) => payment.box));
    const payments = [...again, ...own.payments.filter((payment) => payment.round === number && !boxes.has(payment.box))];
    const before = rounds.find((each) => each.shoe === shoe && each.round === number);
    const dealt = [seen.round, seen.last].find((round) => round?.number === number && round.result);
    const cards = (hand: "player" | "banker"): Card[] => dealt?.cards.flatMap((card) => (card.hand === hand && card.card ? [card.card] : [])) ?? before?.[hand] ?? [];
    const now: Played = {
      shoe,
      round: number,
      player: cards("player"),
      banker: cards("banker"),
      totals: dealt ? [dealt.player_total ?? 0, dealt.banker_total ?? 0] : (before?.totals ?? [0, 0]),
      payments,
    };
    if (JSON.stringify(now) === JSON.stringify(before)) continue;
    rounds = [...rounds.filter((each) => each !== before), now].slice(-MOST);
  }
  return rounds === kept.rounds ? kept : { ...kept, rounds };
}

/** What all of it came to. */
export const netOf = ({ rounds }: Kept): number => rounds.reduce((sum, round) => sum + profitOf(round.payments), 0);
/** What a round came to. */
export const netOfRound = ({ payments }: Played): number => profitOf(payments);
