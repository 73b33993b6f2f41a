/** Chips that go to the table: which action a tap comes to, and what lies there once it is confirmed. */

import { askOf, findAction, findActions, problemOfAction } from "../../lib/actions";
import type { Action, Payment, Problem, Stake, View, WagerSeen } from "../../lib/types";

/** Chips for a bet of a box. */
export interface Chips {
  box: number;
  bet: string;
  amount: number;
}

/** Chips on their way. `target` is what will lie there with them; `version` comes with the confirmation. */
export interface SentChips extends Chips {
  target: number;
  version: number | null;
}

export interface RefusedChips extends Chips {
  problem: Problem;
  /** What could be put there instead. */
  offer: number | null;
}

export const spotOf = (box: number, bet: string): string => `${box}-${bet}`;

/** The action of putting chips on a bet of a box; refused ones say why. Where no bets are taken there is one for all. */
export function placeAction(view: View, box: number, bet: string): Action | undefined {
  const all = findActions(view, "place");
  const only = all.length === 1 && all[0]?.allowed === false ? all[0] : undefined;
  return findAction(view, "place", { box, [`wagers.${bet}`]: undefined }) ?? only;
}

/** The boxes that chips may be put in, or that say why they may not. */
export function openBoxes(view: View): number[] {
  const boxes = view.actions
    .filter((action) => action.do === "place")
    .flatMap((action) => [action.fixed?.["box"], ...(askOf(action, "box")?.choices ?? [])]);
  return [...new Set(boxes.filter((box) => typeof box === "number"))].sort((a, b) => a - b);
}

/** By bet, why nothing can be put there in this box. */
export function refusedBets(view: View, box: number): Record<string, Problem> {
  const refused: Record<string, Problem> = {};
  for (const { code } of view.public.sign.bets) {
    const action = placeAction(view, box, code);
    if (action && !action.allowed) refused[code] = problemOfAction(action);
  }
  return refused;
}

/** What to offer instead of an amount that was refused: what the table says would fit, or the nearest that the view has. */
export function offerFor(problem: Problem, action: Action | undefined, bet: string, amount: number): number | null {
  const ask = action?.allowed ? askOf(action, `wagers.${bet}`) : undefined;
  const least = ask?.least ?? null, most = ask?.most ?? null;
  const near = least !== null && amount < least ? least : most !== null && amount > most ? most : null;
  const offer = problem.fits ?? near;
  return offer !== null && offer > 0 && offer !== amount ? offer : null;
}

/** What lies there of one's own: what the view says, and what is on its way on top of it. */
export function withSent(wagers: readonly WagerSeen[], sent: readonly SentChips[]): Chips[] {
  const all = new Map<string, Chips>();
  for (const { box, bet, stake } of wagers) all.set(spotOf(box, bet), { box, bet, amount: stake });
  for (const { box, bet, target } of sent) {
    const amount = Math.max(target, all.get(spotOf(box, bet))?.amount ?? 0);
    all.set(spotOf(box, bet), { box, bet, amount });
  }
  return [...all.values()];
}

/** All chips on the layout, one's own among them as they will be. */
export function stakesWith(stakes: readonly Stake[], wagers: readonly WagerSeen[], own: readonly Chips[]): Stake[] {
  const all = new Map(stakes.map((stake) => [spotOf(stake.box, stake.bet), { ...stake }]));
  const before = new Map(wagers.map((wager) => [spotOf(wager.box, wager.bet), wager.stake]));
  for (const { box, bet, amount } of own) {
    const key = spotOf(box, bet);
    const more = amount - (before.get(key) ?? 0);
    const stake = all.get(key);
    if (stake) stake.amount += more;
    else if (more > 0) all.set(key, { box, bet, amount: more });
  }
  return [...all.values()];
}

/** The bets behind a settlement, to be made once more; insurance is none of them. */
export function betsOf(payments: readonly Payment[]): Chips[] {
  return payments.flatMap((payment) =>
    payment.lines.filter((line) => !line.insurance).map(({ box, bet, stake }) => ({ box, bet, amount: stake })),
  );
}
