import { expect, test } from "vitest";

import { VIEWS, fixture } from "../testing/fixtures";
import { CATALOGUE, LANGUAGES } from "./catalogue";
import type { Brief, Card } from "./types";
import { refusalWords } from "./refusalWords";
import { betWords, cardWords, isKey, say } from "./words";

const keys = Object.entries(CATALOGUE) as [keyof typeof CATALOGUE, readonly string[]][];
const names = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "").sort();

test("every key has words in every language", () => {
  for (const [key, words] of keys) {
    expect(words, key).toHaveLength(LANGUAGES.length);
    for (const word of words) expect(word.trim(), key).not.toBe("");
  }
});

test("what is filled in is the same in every language", () => {
  for (const [key, words] of keys) for (const word of words) expect(names(word), key).toEqual(names(words[0] ?? ""));
});

test("Chinese is written in Chinese", () => {
  const plain = keys.filter(([key]) => !/^(rank_of_card|card\.name)/.test(key));
  for (const [key, words] of plain) expect(words[1], key).toMatch(/[\u4e00-\u9fff]/);
});

test("values are filled in and unknown ones stay", () => {
  expect(say("en", "sign.table", { table: "T1" })).toBe("Table T1");
  expect(say("vi", "sign.table", { table: "{x}" })).toBe("Bàn {x}");
  expect(say("en", "sign.table")).toBe("Table {table}");
});

test("every bet, pay line, action, wait and refusal of real tables has words in every language", () => {
  for (const [name, view] of VIEWS) {
    for (const bet of view.public.sign.bets) {
      expect(betWords("en", bet.code, view.public.sign.bets)).toBe(bet.name);
      expect(betWords("zh-Hans", bet.code, view.public.sign.bets), `${name} ${bet.code}`).toMatch(/[\u4e00-\u9fff]/);
      expect(betWords("vi", bet.code, view.public.sign.bets), `${name} ${bet.code}`).not.toBe(bet.name);
      for (const pay of bet.pays) if (pay.name) expect(isKey(`pay.${pay.name}`), pay.name).toBe(true);
    }
    for (const action of view.actions) {
      expect(isKey(`do.${action.do}`), action.do).toBe(true);
      if (action.code) expect(isKey(`refusal.${action.detail ?? ""}`), action.detail).toBe(true);
    }
    for (const wait of view.public.waits) expect(isKey(`family.${wait.family ?? ""}`), wait.family).toBe(true);
  }
});

test("every refusal and every step that the server can send has words, and no other", () => {
  const { refusals, floor, commands } = fixture<Record<"refusals" | "floor" | "commands", string[]>>("codes");
  expect(refusals.length).toBeGreaterThan(40);
  // What the page says by itself where it finds no server.
  const said = new Set([...refusals, ...floor, "network"]);
  const known = Object.keys(CATALOGUE).flatMap((key) => (key.startsWith("refusal.") ? [key.slice("refusal.".length)] : []));
  expect(known.sort()).toEqual([...said].sort());
  // A step is a command.
  for (const name of commands) expect(isKey(`step.${name}`) || isKey(`do.${name}`), name).toBe(true);
  for (const [view, { next_step: step }] of VIEWS) if (step) expect(commands, view).toContain(step.do);
});

test("a reason that the page does not know is said in the server's words", () => {
  expect(refusalWords("vi", { code: "box", detail: "box.brand_new", message: "no such luck" })).toBe("no such luck");
  expect(refusalWords("en", { code: "brand_new", message: "no such luck" })).toBe("no such luck");
  expect(refusalWords("en", { code: "sign_in", message: "nobody is signed in" })).toBe("Please sign in");
});

test("no two cards have the same name", () => {
  const { cards } = fixture<{ cards: Card[] }>("index");
  for (const language of LANGUAGES) expect(new Set(cards.map((card) => cardWords(language, card))).size).toBe(52);
  expect(cardWords("en", "Th")).toBe("10 of Hearts");
  expect(cardWords("en", null)).toBe("a card face down");
});

test("tables of the lobby speak of results that the catalogue has", () => {
  for (const table of fixture<Brief[]>("tables")) for (const bead of table.beads) expect(isKey(`hand.${bead}`)).toBe(true);
});
