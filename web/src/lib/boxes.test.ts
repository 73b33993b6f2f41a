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
import { aboutText, eventDetails, flagText } from "./happened";
import { speech } from "./i18n.svelte";
import { Refused } from "./line";
import { notices } from "./notices.svelte";
import { stepWords } from "./stepWords";
import type { Payment, SeenEvent, View } from "./types";
import { say } from "./words";

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

test("what the server says of bets has the names on the cloth, and people who are called player stay", () => {
  const { sign } = fixture<View>("tiger-buffalo-betting-player").public;
  expect(printedText(sign, "the minimum on big_tiger is 5.00 SGD")).toBe("the minimum on Big Tiger is 5.00 SGD");
  expect(printedText(sign, "the maximum on player is 5,000.00 SGD")).toBe("the maximum on Player is 5,000.00 SGD");
  expect(printedText(sign, "ann has no bet on tie in box 4")).toBe("ann has no bet on Tie in box 5");
  expect(printedText(sign, "round 3, box 4, ann: player 50.00 SGD, small_tiger 5.00 SGD")).toBe("round 3, box 5, ann: Player 50.00 SGD, Small Tiger 5.00 SGD");
  expect(printedText(sign, "a player has a bet, a tie is no win on points")).toBe("a player has a bet, a tie is no win on points");
  expect(printedText(sign, "wait for wrong_side")).toBe("wait for wrong_side");
  expect(printedText({}, "layout A does not carry player_wins_on_4")).toBe("layout A does not carry Player Wins On 4");
});

test("a toast has the numbers and names on the cloth", () => {
  const { sign } = fixture<View>("tiger-buffalo-betting-player").public;
  notices.trouble(new Refused({ code: "no_wager", message: "said at the server", detail: "no_wager.bet", values: { person: "ann", bet: "small_tiger", box: 4 } }), sign);
  notices.trouble(new Refused({ code: "brand_new", message: "no such luck" }), sign);
  notices.trouble(new Refused({ code: "role", message: "a player may not" }), sign);
  expect(notices.all.map(({ text, detail }) => [text, detail])).toEqual([
    ["ann has no bet on Small Tiger in box 5", ""],
    ["no such luck", ""],
    [say("en", "refusal.role"), "a player may not"],
  ]);
});

test("what an incident or a flag is about is said in the viewer's language, and what people write stays", () => {
  const { sign } = fixture<View>("tiger-buffalo-betting-player").public;
  speech.language = "zh-Hans";
  expect(aboutText(sign, "ann box 4 big_tiger")).toBe("ann · 5 号位 · 大老虎");
  expect(aboutText(sign, "card 5 at banker")).toBe("第 5 张 · 庄");
  expect(aboutText(sign, "card 5")).toBe("第 5 张");
  speech.language = "en";
  expect(flagText(sign, "ann box 4 player_insurance")).toBe("ann · Box 5 · Player insurance");
  expect(flagText(sign, "box 4")).toBe("box 5");
  expect(aboutText(sign, "chips of box 4 fell down")).toBe("chips of box 4 fell down");
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
    refusal: html(render(Refusal, { props: { sign, problem: { code: "box", message: "", detail: "box.taken", values: { box: 2 } } } })),
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
