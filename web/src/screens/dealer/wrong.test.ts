import { expect, test } from "vitest";

import { CATALOGUE } from "../../lib/catalogue";
import { VIEWS } from "../../testing/fixtures";
import { GROUPS, happenings } from "./wrong";

const dealers = VIEWS.filter(([name]) => name.endsWith("-dealer"));

test("everything that may have happened has words in the catalogue", () => {
  for (const [name, view] of dealers) {
    const found = happenings(view);
    for (const group of GROUPS) for (const { key } of found[group]) expect(Object.hasOwn(CATALOGUE, key), `${name}: ${key}`).toBe(true);
  }
});

test("every report that the view allows is found, once", () => {
  const KINDS = ["report", "report_cards", "report_interruption", "report_round", "late_chips", "find_bet", "walk_away", "come_back"];
  for (const [name, view] of dealers) {
    const found = happenings(view);
    const ways = GROUPS.flatMap((group) => found[group].flatMap((each) => each.ways));
    for (const action of view.actions.filter((each) => each.allowed && KINDS.includes(each.do))) {
      const choices = action.asks?.find((ask) => ask.field === (action.do === "report" ? "what" : action.do === "report_cards" ? "fault" : ""))?.choices;
      expect(ways.filter((way) => way.action === action).length, `${name}: ${action.do}`).toBe(choices?.length ?? 1);
    }
  }
});
