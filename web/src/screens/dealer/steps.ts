/** What the dealer's next key does: the next step of the view as a command, a card to key, or a form to fill in. */

import { askOf, fill, findAction, findActions, nextAction } from "../../lib/actions";
import type { Action, AnyCommand, Card, NextStep, Side, View } from "../../lib/types";

export type Task =
  /**
   * One key does it; `soft` where time still runs or it is a player's right, so that the key is asked for twice. A card
   * that the scanner has read may be keyed all the same, by `keyed`: the table compares the two.
   */
  | { kind: "go"; body: AnyCommand; soft: boolean; keyed: Action | null }
  /** A card is wanted: `down` is the way to draw it without naming it. */
  | { kind: "card"; action: Action; hand: Side | null; down: AnyCommand | null }
  /** One of a few answers. */
  | { kind: "choice"; action: Action; field: string; choices: (string | number | boolean | number[])[] }
  /** Something must be said, or another person signs. */
  | { kind: "form"; action: Action }
  /** It is ruled on, approved or answered beside. */
  | { kind: "matter" }
  /** Somebody else's. */
  | { kind: "wait" };

const MATTERS: readonly string[] = ["propose", "approve", "take_option"];

/** What is to be done about the next step at this console. */
export function taskOf(view: View): Task {
  const step = view.next_step;
  if (!step) return { kind: "wait" };
  if (MATTERS.includes(step.do)) return { kind: "matter" };
  if (!step.yours) {
    const refused = view.actions.find((action) => action.do === step.do && action.code === "rank");
    return refused ? { kind: "form", action: refused } : { kind: "wait" };
  }
  if (step.do === "draw") return drawing(view, step);
  const action = nextAction(view);
  if (!action) return { kind: "wait" };
  const asks = (action.asks ?? []).filter((ask) => !ask.optional);
  const [ask] = asks;
  if (!ask) {
    const keyed = step.do === "turn" && step.who !== "player" && askOf(action, "card") ? action : null;
    return { kind: "go", body: fill(action), soft: step.who === "player" || timeRuns(view, step), keyed };
  }
  if (step.do === "turn" && ask.kind === "card") return { kind: "card", action, hand: step.hand ?? null, down: null };
  if (asks.length === 1 && ask.kind === "choice" && ask.choices && ask.choices.length <= 4) {
    return { kind: "choice", action, field: ask.field, choices: ask.choices };
  }
  return { kind: "form", action };
}

function drawing(view: View, step: NextStep): Task {
  const hand = step.hand ?? null;
  const down = findAction(view, "draw", { turned: false });
  const open = findAction(view, "draw", { turned: true });
  const unseen = down?.allowed ? fill(down, hand && askOf(down, "hand") ? { hand } : {}) : null;
  if (view.public.sign.face_down && unseen) return { kind: "go", body: unseen, soft: false, keyed: null };
  return open?.allowed ? { kind: "card", action: open, hand, down: unseen } : { kind: "wait" };
}

/** Whether somebody may still bet or insure. */
function timeRuns(view: View, step: NextStep): boolean {
  if (step.do === "close") return (view.public.time_left ?? 0) > 0;
  return step.do === "close_insurance" && (view.public.time_left ?? 0) > 0 && (view.felt?.unanswered.length ?? 0) > 0;
}

/** Whether a card may be keyed. */
export const takesCard = (task: Task): boolean => task.kind === "card" || (task.kind === "go" && task.keyed !== null);

/** The command that a card makes of the task. */
export function withCard(task: Task, card: Card, hand: Side | null): AnyCommand | null {
  if (task.kind === "go" && task.keyed) return fill(task.keyed, { card });
  if (task.kind !== "card") return null;
  return fill(task.action, hand && askOf(task.action, "hand") ? { card, hand } : { card });
}

/** The corrections of the record among the actions. */
export const CORRECTIONS: readonly string[] = ["correct_card", "correct_hand", "strike_card", "add_card", "correct_order", "correct_bet", "correct_call", "correct_payout"];

export function isCorrection(action: Action): boolean {
  return CORRECTIONS.includes(String(action.fixed?.["ruling.ruling"] ?? ""));
}

/** Actions that are about a person: what is done every day first, a dispute last. */
export function actionsFor(view: View, person: string): Action[] {
  const found = view.actions.filter((action) => action.fixed?.["person"] === person);
  return [...found.filter((action) => action.do !== "raise_dispute"), ...found.filter((action) => action.do === "raise_dispute")];
}

/** The rulings on an incident, allowed or not. */
export function rulingsOn(view: View, incident: number): Action[] {
  return findActions(view, "propose", { incident });
}
