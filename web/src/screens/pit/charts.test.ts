import { expect, test } from "vitest";

import { lengthOf, scaled } from "./charts";

test("a course stays within its picture, and its band surrounds what was expected", () => {
  const point = (round: number, win: number): Parameters<typeof scaled>[0][number] => ({ round, handle: 100, win, expected: round, low: round - 50, high: round + 50 });
  const { win, band, zero, low, high } = scaled([point(1, 20), point(2, -80)], 100, 50);
  expect([low, high]).toEqual([-80, 52]);
  expect(win).toBe(`M0.0 ${zero.toFixed(1)}L50.0 12.1L100.0 50.0`);
  expect(band.startsWith("M0.0")).toBe(true);
  expect(scaled([], 100, 50).win).toBe("M0.0 50.0");
});

test("a length of time is written as on a clock", () => {
  expect([0, 59_400, 61_000, 3_661_000].map(lengthOf)).toEqual(["0:00", "0:59", "1:01", "1:01:01"]);
});
