import { expect, test } from "vitest";

import { keepTyped } from "./copying";

const form = { table: "", game: "tiger-buffalo", layout: "A", decks: 8, minimum: "25", maximum: "5000" };
const copied = { game: "super-six", layout: "B", decks: 6, minimum: "100", maximum: "10000" };

test("what was copied fills the form, and what it does not have stays", () => {
  expect(keepTyped(form, form, copied)).toEqual({ ...copied, table: "" });
});

test("what was typed before the answer came is kept, emptied fields too", () => {
  const now = { ...form, table: "T-9", minimum: "50", maximum: "" };
  expect(keepTyped(form, now, copied)).toEqual({ ...copied, table: "T-9", minimum: "50", maximum: "" });
});

test("a game that was chosen keeps its layout and decks", () => {
  const now = { ...form, game: "rws-baccarat" };
  expect(keepTyped(form, now, copied, ["game", "layout", "decks"])).toEqual({ ...now, minimum: "100", maximum: "10000" });
});

test("chips counted meanwhile stay beside those that were copied", () => {
  expect(keepTyped<Record<number, string>>({ 500: "" }, { 500: "", 2_500: "7" }, { 500: "40", 2_500: "40", 10_000: "20" })).toEqual({ 500: "40", 2_500: "7", 10_000: "20" });
});
