import { expect, test } from "vitest";

import type { Seen, SeenEvent, View } from "../../lib/types";
import { alertsAfter, isOpen, type Alert } from "./alerts";

const told = (events: SeenEvent[], table = "T1"): readonly Alert[] =>
  events.reduce<readonly Alert[]>((alerts, event, index) => alertsAfter(alerts, table, { version: index + 1, at: 0, event } as Seen), []);

test("an incident is one alert, from its opening to its ruling", () => {
  const alerts = told([
    { event: "incident_opened", number: 4, family: "wrong_side" },
    { event: "ruling_proposed", number: 1, incident: 4, ruling: { ruling: "reconstruct" }, by: "dana" },
    { event: "ruling_given", incident: 4, proposal: 1, ruling: { ruling: "reconstruct" }, by: "dana", approved_by: "sam" },
    { event: "incident_closed", number: 4 },
  ]);
  expect(alerts).toHaveLength(1);
  expect(alerts[0]?.seen.event?.event).toBe("incident_opened");
  expect(alerts[0]?.then?.event?.event).toBe("ruling_given");
});

test("voids, corrections and late chips are alerts; bets and cards are none", () => {
  const alerts = told([
    { event: "wagers_placed", box: 1, wagers: { player: 100 } },
    { event: "late_chips_refused", person: "bob" },
    { event: "round_voided", number: 3, paragraph: "5.1" },
    { event: "card_turned", number: 1, card: "9h" },
    { event: "card_corrected", round: 3, number: 1 },
  ]);
  expect(alerts.map((alert) => alert.seen.event?.event)).toEqual(["card_corrected", "round_voided", "late_chips_refused"]);
});

test("what happens again is a new alert, and what is not for the viewer is none", () => {
  const again = told([
    { event: "flagged", flag: "below_minimum", about: { code: "bet", values: { person: "bob", box: 2, bet: "tie" } } },
    { event: "flag_cleared", flag: "below_minimum", about: { code: "bet", values: { person: "bob", box: 2, bet: "tie" } } },
    { event: "flagged", flag: "below_minimum", about: { code: "bet", values: { person: "bob", box: 2, bet: "tie" } } },
  ]);
  expect(new Set(again.map((alert) => alert.id)).size).toBe(2);
  expect(again[0]?.then).toBeUndefined();
  expect(again[1]?.then?.event?.event).toBe("flag_cleared");
  expect(alertsAfter([], "T1", { version: 1, at: 0 })).toEqual([]);
});

test("tables do not answer for each other", () => {
  const first = told([{ event: "fill_requested", request: "R1", kind: "fill", by: "dana" }]);
  const other = alertsAfter(first, "T2", { version: 9, at: 0, event: { event: "fill_signed", request: "R1" } });
  expect(other).toEqual(first);
});

test("an alert is open as long as the view has what it is about", () => {
  const [alert] = told([{ event: "dispute_raised", number: 2, person: "bob" }]);
  if (!alert) throw new Error("no alert");
  const view = (disputes: number[]): View => ({ matters: { disputes: disputes.map((number) => ({ number })) } }) as unknown as View;
  expect(isOpen(alert, view([1, 2]))).toBe(true);
  expect(isOpen(alert, view([1]))).toBe(false);
  expect(isOpen(alert, null)).toBe(false);
});
