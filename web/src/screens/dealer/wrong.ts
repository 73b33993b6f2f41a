/** What may have gone wrong on the felt, by kind: everything that the view lets somebody report. */

import type { Answers } from "../../lib/actions";
import type { Action, View } from "../../lib/types";

/** One thing that may have happened, with the ways to say so: by person, card or bet where there are several. */
export interface Happening {
  /** The catalogue's key of its name. */
  key: string;
  ways: Way[];
}

export interface Way {
  action: Action;
  preset: Answers;
}

export const GROUPS = ["cards", "money", "people", "rest"] as const;
export type Group = (typeof GROUPS)[number];

const GROUP_OF: Record<string, Group> = {
  report: "cards",
  draw: "cards",
  put_card: "cards",
  turn: "cards",
  report_cards: "cards",
  find_bet: "money",
  late_chips: "money",
  hold_suspect: "money",
  meant_to_insure: "money",
  offer_insurance: "money",
  walk_away: "people",
  come_back: "people",
  bar_squeeze: "people",
  report_interruption: "rest",
  report_round: "rest",
  raise_dispute: "rest",
};

/** By group, what can be reported now, by this viewer or by somebody who signs for it. */
export function happenings(view: View): Record<Group, Happening[]> {
  const found: Record<Group, Map<string, Way[]>> = { cards: new Map(), money: new Map(), people: new Map(), rest: new Map() };
  for (const action of view.actions) {
    const group = GROUP_OF[action.do];
    // The next proper step is nothing that went wrong; a card may still go astray.
    const proper = action.do === "turn" ? !waits(view, action) : action.do === view.next_step?.do && action.do !== "draw";
    if (group === undefined || proper || !(action.allowed || action.code === "rank")) continue;
    for (const [key, preset] of named(action)) {
      const where = found[key === "family.display" ? "rest" : group];
      where.set(key, [...(where.get(key) ?? []), { action, preset }]);
    }
  }
  const list = (group: Group): Happening[] =>
    [...found[group]].map(([key, ways]) => ({ key, ways })).sort((one, other) => place(one.key) - place(other.key));
  return { cards: list("cards"), money: list("money"), people: list("people"), rest: list("rest") };
}

/** Whether a card to be turned waits for its round: those are counted on after the cards of the one in progress. */
function waits(view: View, action: Action): boolean {
  return Number(action.fixed?.["number"]) > (view.public.round?.cards.length ?? 0);
}

/** A card that went astray is what happens most. */
function place(key: string): number {
  const first = ["wrong.drawn", "wrong.drawn_down", "wrong.put"].indexOf(key);
  return first < 0 ? 3 : first;
}

function named(action: Action): [key: string, preset: Answers][] {
  const choices = (field: string): string[] => (action.asks?.find((ask) => ask.field === field)?.choices ?? []).map(String);
  switch (action.do) {
    case "report":
      return choices("what").map((what) => [`family.${what}`, { what }]);
    case "report_cards":
      return choices("fault").map((fault) => [`choice.fault.${fault}`, { fault }]);
    case "hold_suspect":
      return action.fixed?.["what"] ? [[`choice.what.${String(action.fixed["what"])}`, {}]] : choices("what").map((what) => [`choice.what.${what}`, { what }]);
    case "draw":
      return [[action.fixed?.["turned"] ? "wrong.drawn" : "wrong.drawn_down", {}]];
    case "put_card":
      return [["wrong.put", {}]];
    case "late_chips":
      return [[`choice.what.${String(action.fixed?.["what"])}`, {}]];
    default:
      return [[`do.${action.do}`, {}]];
  }
}
