/** What may have gone wrong on the felt, by kind: everything that the view lets somebody report. */

import type { Answers } from "../../lib/actions";
import type { Action, View } from "../../lib/types";

export interface Happening {
  action: Action;
  preset: Answers;
  /** Which words name it: a family, a fault, a command. */
  words: "family" | "fault" | "drawn" | "drawn_down" | "put" | "do";
  value: string;
  /** Whom it is about. */
  person: string;
}

export type Group = "cards" | "money" | "people" | "rest";

const GROUPS: Record<string, Group> = {
  report: "cards",
  draw: "cards",
  put_card: "cards",
  report_cards: "cards",
  find_bet: "money",
  late_chips: "money",
  meant_to_insure: "money",
  offer_insurance: "money",
  walk_away: "people",
  come_back: "people",
  bar_squeeze: "people",
  report_interruption: "rest",
  report_round: "rest",
  raise_dispute: "rest",
};

/** By group, what can be reported now; what cannot be is left out. */
export function happenings(view: View): Map<Group, Happening[]> {
  const found = new Map<Group, Happening[]>([["cards", []], ["money", []], ["people", []], ["rest", []]]);
  const drawIsNext = view.next_step?.do === "draw";
  for (const action of view.actions) {
    const group = GROUPS[action.do];
    if (group === undefined || !(action.allowed || action.code === "rank")) continue;
    for (const each of named(action)) {
      if (each.words === "put" && view.next_step?.do === "put_card") continue;
      if (action.do === "offer_insurance" && view.next_step?.do === "offer_insurance") continue;
      found.get(each.value === "display" ? "rest" : group)?.push(each);
    }
  }
  // A card is drawn beside the next step in the proper way; here it is the one that is not due.
  if (drawIsNext) found.get("cards")?.sort((one, other) => Number(one.action.do === "draw") - Number(other.action.do === "draw"));
  return found;
}

function named(action: Action): Happening[] {
  const person = String(action.fixed?.["person"] ?? "");
  const choices = (field: string): string[] => (action.asks?.find((ask) => ask.field === field)?.choices ?? []).map(String);
  if (action.do === "report") return choices("what").map((value) => ({ action, preset: { what: value }, words: "family", value, person }));
  if (action.do === "report_cards") return choices("fault").map((value) => ({ action, preset: { fault: value }, words: "fault", value, person }));
  if (action.do === "draw") {
    const words = action.fixed?.["turned"] ? "drawn" : "drawn_down";
    return [{ action, preset: {}, words, value: words, person }];
  }
  if (action.do === "put_card") return [{ action, preset: {}, words: "put", value: String(action.fixed?.["number"] ?? ""), person }];
  return [{ action, preset: {}, words: "do", value: action.do, person }];
}
