import { expect, test } from "vitest";

import { missing } from "../../lib/actions";
import { VIEWS } from "../../testing/fixtures";
import { actionsFor, isCorrection, rulingsOn, taskOf, withCard } from "./steps";

const dealers = VIEWS.filter(([name]) => name.endsWith("-dealer"));

test("a step that is the dealer's has something to do at the console", () => {
  expect(dealers.length).toBeGreaterThan(5);
  for (const [name, view] of dealers) {
    const task = taskOf(view);
    if (view.next_step?.yours) expect(task.kind, `${name}: ${view.next_step.do}`).not.toBe("wait");
    if (task.kind === "go") expect(task.body.do, name).toBe(view.next_step?.do);
    if (task.kind === "form") expect(task.action.do, name).toBe(view.next_step?.do);
  }
});

test("what one key sends leaves nothing unsaid", () => {
  for (const [name, view] of dealers) {
    const task = taskOf(view);
    if (task.kind !== "go") continue;
    const action = view.actions.find((each) => each.do === task.body.do && each.allowed);
    expect(action, name).toBeDefined();
    if (action) expect(missing(action, {}), name).toEqual([]);
  }
});

test("a keyed card goes to the hand that is due unless another is named", () => {
  const due = dealers.filter(([, view]) => taskOf(view).kind === "card" && view.next_step?.do === "draw");
  for (const [name, view] of due) {
    const task = taskOf(view);
    if (task.kind !== "card") continue;
    expect(withCard(task, "9h", task.hand), name).toMatchObject({ do: "draw", card: "9h", hand: view.next_step?.hand, turned: true });
    expect(withCard(task, "9h", "banker"), name).toMatchObject({ hand: "banker" });
  }
  expect(withCard({ kind: "wait" }, "9h", null)).toBeNull();
});

test("every ruling that the matters name has its action", () => {
  for (const [name, view] of dealers) {
    for (const incident of view.matters?.incidents ?? []) {
      const kinds = rulingsOn(view, incident.number).map((action) => action.fixed?.["ruling.ruling"]);
      expect(kinds.sort(), name).toEqual(incident.rulings.map((ruling) => ruling.kind).sort());
    }
  }
});

test("players have actions of their own, and corrections are told apart", () => {
  for (const [, view] of dealers) {
    for (const player of view.felt?.players ?? []) expect(actionsFor(view, player.person).some((action) => action.do === "buy_in")).toBe(true);
    for (const action of view.actions.filter(isCorrection)) expect(action.do).toBe("propose");
  }
});
