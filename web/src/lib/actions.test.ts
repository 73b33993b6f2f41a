import { expect, test } from "vitest";

import { VIEWS, fixture } from "../testing/fixtures";
import { accepts, fill, findAction, findActions, missing, nextAction, type Answers } from "./actions";
import type { Action, View } from "./types";

interface Filled {
  action: Action;
  answers: Answers;
  command: object;
}

const filled = fixture<Filled[]>("fills");

test("actions are filled in as the engine's own client does it", () => {
  expect(filled.length).toBeGreaterThan(500);
  for (const { action, answers, command } of filled) expect(command).toMatchObject(fill(action, answers));
});

test("answers that the engine takes are accepted", () => {
  for (const { action, answers } of filled) {
    for (const [field, answer] of Object.entries(answers)) {
      const ask = action.asks?.find((each) => each.field === field);
      expect(ask && accepts(ask, answer), `${action.do} ${field} ${JSON.stringify(answer)}`).toBe(true);
    }
    expect(missing(action, answers)).toEqual([]);
  }
});

test("answers outside of what is asked are not accepted", () => {
  const ask = { field: "amount", kind: "amount", least: 100, most: 500, step: 50 } as const;
  expect([50, 100, 125, 150, 500, 550, 100.5, "100"].map((value) => accepts(ask, value))).toEqual([
    false, true, false, true, true, false, false, false,
  ]);
  expect(accepts({ field: "x", kind: "choice", choices: [1, 2] }, 3)).toBe(false);
  expect(accepts({ field: "x", kind: "some", choices: ["a", "b"], least: 1 }, ["a", "a"])).toBe(false);
  expect(accepts({ field: "x", kind: "card", but: "9h" }, "9h")).toBe(false);
  expect(accepts({ field: "x", kind: "card" }, null)).toBe(false);
  expect(accepts({ field: "x", kind: "text" }, "")).toBe(false);
});

test("a field with dots is a part of another", () => {
  const action: Action = { do: "propose", allowed: true, fixed: { "ruling.ruling": "value", incident: 1 }, asks: [] };
  expect(fill(action, { "ruling.card": "9h", "ruling.number": 3 })).toEqual({
    do: "propose",
    incident: 1,
    ruling: { ruling: "value", card: "9h", number: 3 },
  });
});

test("the next step has an action exactly where it is the viewer's", () => {
  let own = 0;
  for (const [name, view] of VIEWS) {
    expect(nextAction(view) !== undefined, name).toBe(view.next_step?.yours ?? false);
    if (view.next_step?.yours) own += 1;
  }
  expect(own).toBeGreaterThan(10);
});

test("actions are found by what they are about", () => {
  const view = fixture<View>("tiger-buffalo-betting-player");
  const place = findAction(view, "place", { "wagers.banker": undefined });
  expect(place?.asks?.map((ask) => ask.field)).toContain("wagers.banker");
  expect(findActions(view, "place", { "wagers.no_such_bet": undefined })).toEqual([]);
  expect(findAction(view, "announce")).toBeUndefined();
});
