import { expect, test } from "vitest";

import { VIEWS } from "../testing/fixtures";
import { betWords, isKey } from "./words";

/** Values that name themselves: people, bets, cards and numbers. */
const OTHERS = ["person", "bet", "to_bet", "hand", "result", "rank"];

test("every question of real tables, and every answer to choose, has words", () => {
  for (const [view, { actions, public: seen }] of VIEWS) {
    for (const action of actions) {
      for (const ask of action.asks ?? []) {
        const name = ask.field.split(".").at(-1) ?? "";
        if (ask.field.startsWith("wagers.")) expect(betWords("vi", name, seen.sign.bets), view).not.toBe("");
        else expect(isKey(`ask.${name}`), `${view}: ${action.do} asks ${ask.field}`).toBe(true);
        if (ask.kind !== "choice" && ask.kind !== "some") continue;
        for (const choice of (ask.choices ?? []).filter((each) => typeof each === "string" && !OTHERS.includes(name))) {
          const words = [`choice.${name}.${choice}`, `family.${choice}`];
          expect(words.some(isKey), `${view}: ${action.do} ${ask.field} ${String(choice)}`).toBe(true);
        }
        if (name === "rank") for (const choice of ask.choices ?? []) expect(isKey(`rank.${String(choice)}`)).toBe(true);
      }
    }
  }
});

test("every next step and every flag of real tables has words", () => {
  for (const [name, view] of VIEWS) {
    if (view.next_step) expect(isKey(`step.${view.next_step.do}`), `${name}: ${view.next_step.do}`).toBe(true);
    for (const { flag } of view.flags) expect(isKey(`flag.${flag}`), `${name}: ${flag}`).toBe(true);
  }
});
