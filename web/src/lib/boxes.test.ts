import "../testing/page";

import { render } from "svelte/server";
import { expect, test } from "vitest";

import BoxPanel from "../components/BoxPanel.svelte";
import Layout from "../components/Layout.svelte";
import Receipt from "../components/Receipt.svelte";
import Refusal from "../components/Refusal.svelte";
import Felt from "../screens/dealer/Felt.svelte";
import { VIEWS, fixture } from "../testing/fixtures";
import { choiceWords, fixedWords } from "./asking";
import { printedNumber, printedText } from "./boxes";
import { eventDetails } from "./happened";
import { stepWords } from "./stepWords";
import type { Payment, SeenEvent, View } from "./types";

/** The view at a cloth that prints 21, 22 and so on: no such number comes from anywhere else. */
function renumbered(name: string): View {
  const view = fixture<View>(name);
  view.public.sign.geometry.numbers = view.public.sign.geometry.numbers.map((_, index) => 21 + index);
  return view;
}

const COUNTED = /\b[Bb]ox ([1-9]|1\d)\b/;
const html = (drawn: { body: string }): string => drawn.body.replace(/<!--.*?-->/g, "");

test("boxes are called by the numbers on the cloth", () => {
  const { sign } = fixture<View>("tiger-buffalo-betting-player").public;
  expect([1, 2, 3, 4, 5, 6].map((box) => printedNumber(sign, box))).toEqual([1, 2, 3, 5, 6, 7]);
  expect(printedNumber(sign, 9)).toBe(9);
  expect(printedNumber({}, 4)).toBe(4);
});

test("what the server says of boxes has the numbers on the cloth, and other numbers stay", () => {
  const { sign } = fixture<View>("tiger-buffalo-betting-player").public;
  expect(printedText(sign, "nobody sits at box 4")).toBe("nobody sits at box 5");
  expect(printedText(sign, "takes and pays are not confirmed at box 3, 4, 6")).toBe("takes and pays are not confirmed at box 3, 5, 7");
  expect(printedText(sign, "card 4 of 6")).toBe("card 4 of 6");
});

test("layout, panel, receipt, felt and refusal have the printed number", () => {
  const view = renumbered("rws-baccarat-paying-dealer");
  const { sign, stakes, boxes } = view.public;
  const payments = view.felt?.payments as Payment[];
  expect(payments.length).toBeGreaterThan(1);
  const drawn = {
    layout: html(render(Layout, { props: { sign, stakes, boxes } })),
    panel: html(render(BoxPanel, { props: { sign, box: 2, stakes } })),
    receipt: html(render(Receipt, { props: { sign, payments } })),
    refusal: html(render(Refusal, { props: { sign, problem: { code: "box", message: "box 2 is taken" } } })),
  };
  for (const [name, text] of Object.entries(drawn)) {
    expect(text, name).toMatch(/[Bb]ox 2\d\b/);
    expect(text, name).not.toMatch(COUNTED);
  }
  const felt = html(render(Felt, { props: { view, busy: false, onconfirm: () => undefined, onperson: () => undefined, onnew: () => undefined } }));
  const shown = [...felt.matchAll(/number-of-box[^>]*>(\d+)</g)].map((match) => Number(match[1])).sort();
  expect(shown).toEqual(sign.geometry.numbers.slice(0, sign.positions));
});

test("steps, questions, answers and events have the printed number", () => {
  const words: string[] = [];
  for (const [name] of VIEWS) {
    const view = renumbered(name);
    const { sign, round } = view.public;
    if (view.next_step?.box) words.push(stepWords(view));
    for (const action of view.actions) {
      words.push(fixedWords(action, { sign, round: round ?? null }));
      for (const ask of action.asks ?? []) {
        if (/(^|\.)(to_)?box$/.test(ask.field)) words.push(...(ask.choices ?? []).map((each) => choiceWords(ask.field, each, { sign, round: round ?? null })));
      }
    }
  }
  const { sign } = renumbered("rws-baccarat-paying-dealer").public;
  const events = [
    { event: "wagers_placed", person: "alice", box: 4, wagers: { tie: 500 } },
    { event: "boxes_confirmed", boxes: [2, 3] },
    { event: "flagged", flag: "above_maximum", about: "alice box 4 tie" },
  ] as unknown as SeenEvent[];
  words.push(...events.flatMap((event) => eventDetails(event, sign)));
  expect(words.filter((each) => /[Bb]ox 2\d/.test(each)).length).toBeGreaterThan(20);
  expect(words.filter((each) => COUNTED.test(each))).toEqual([]);
});
