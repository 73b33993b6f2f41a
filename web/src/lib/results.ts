/** How a round ended, in words. */

import { betName, t } from "./i18n.svelte";
import type { Payment, RoundSeen, Side, Sign } from "./types";

/** What to say of a round, and in which colour. */
export function resultOf(round: RoundSeen | null): { words: string; tone: "player" | "banker" | "tie" | "" } {
  if (!round) return { words: "", tone: "" };
  if (round.voided) return { words: t("result.void"), tone: "" };
  if (round.result) return { words: t(`result.${round.result}`), tone: round.result };
  return { words: t("shoe.round", { number: round.number }), tone: "" };
}

/** How many times its stake a side bet has to win to be called out. */
const BIG = 10;

/** One's own side bets that won big. */
export function bigWins(payments: readonly Payment[], sign: Sign): string[] {
  const won = payments.flatMap(({ lines }) => lines.filter((line) => line.stake > 0 && line.profit >= BIG * line.stake));
  return [...new Set(won.map((line) => t("call.big", { bet: betName(line.bet, sign.bets), times: Math.floor(line.profit / line.stake) })))];
}

/** What is worth calling out of a round that is over: a natural, pairs, a Banker that wins on 6. */
export function callOuts(round: RoundSeen | null): string[] {
  if (!round?.result) return [];
  const found: string[] = [];
  const totals = { player: round.player_total ?? 0, banker: round.banker_total ?? 0 };
  const of = (side: Side): (string | null)[] => round.cards.filter((card) => card.hand === side).map((card) => card.card);
  const natural = of("player").length === 2 && of("banker").length === 2 ? Math.max(totals.player, totals.banker) : 0;
  if (natural >= 8) found.push(t("call.natural", { total: natural }));
  for (const side of ["player", "banker"] as const) {
    const [first, second] = of(side);
    if (first && second && first.charAt(0) === second.charAt(0)) found.push(t(`call.${side}_pair`));
  }
  if (round.result === "banker" && totals.banker === 6) found.push(t("call.six"));
  return found;
}
