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
import { aboutText, eventDetails } from "./happened";
import { speech } from "./i18n.svelte";
import { Refused } from "./line";
import { notices } from "./notices.svelte";
import { stepWords } from "./stepWords";
import type { About, Payment, SeenEvent, View } from "./types";
import { say } from "./words";

/** Layout A of Tiger Buffalo prints no 4: no such number may be seen. */
const SKIPPED = /\b[Bb]ox(?:es)? 4\b/;
const html = (drawn: { body: string }): string => drawn.body.replace(/<!--.*?-->/g, "");

test("boxes are called by the numbers on the cloth", () => {
  const { sign, boxes } = fixture<View>("tiger-buffalo-betting-player").public;
  expect(sign.geometry.numbers).toEqual([1, 2, 3, 5, 6, 7]);
  expect(boxes.map((box) => box.number)).toEqual([1, 2, 3, 5, 6, 7]);
});

test("a toast has the numbers and names on the cloth", () => {
  const { sign } = fixture<View>("tiger-buffalo-betting-player").public;
  notices.trouble(new Refused({ code: "no_wager", message: "said at the server", detail: "no_wager.bet", values: { person: "ann", bet: "small_tiger", box: 5 } }), sign);
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
  const bet = (code: string): About => ({ code: "bet", values: { person: "ann", box: 4, bet: code } });
  expect(aboutText(sign, bet("big_tiger"))).toBe("ann 4 号位 大老虎");
  expect(aboutText(sign, { code: "card.at", values: { number: 5, hand: "banker" } })).toBe("第 5 张牌在庄");
  expect(aboutText(sign, { code: "shoe.copies", values: { count: 8, cards: ["9h", "9s"] } })).toBe("超过 8 副牌应有的张数：红心9、黑桃9");
  expect(aboutText(sign, { code: "told.drawn", values: { card: "", hand: "" } })).toBe("抽出一张牌：–，在–");
  speech.language = "en";
  expect(aboutText(sign, bet("player_insurance"))).toBe("ann box 4 Player insurance");
  expect(aboutText(sign, { code: "chips", values: { person: "bob", amount: 2000 } })).toBe("bob SGD 20.00");
  expect(aboutText(sign, { code: "brand_new.thing" })).toBe("brand new.thing");
  expect(aboutText(sign, "ann box 4 big_tiger")).toBe("ann box 4 big_tiger");
});

test("layout, panel, receipt, felt and refusal have the printed number", () => {
  const view = fixture<View>("tiger-buffalo-betting-dealer");
  const { sign, stakes, boxes } = view.public;
  const payments = (fixture<View>("rws-baccarat-paying-dealer").felt?.payments as Payment[]).map((payment) => ({ ...payment, box: payment.box + 4 }));
  expect(payments.length).toBeGreaterThan(1);
  const layout = html(render(Layout, { props: { sign, stakes, boxes } }));
  expect([...new Set([...layout.matchAll(/[Bb]ox (\d+)\b/g)].map((match) => Number(match[1])))].sort()).toEqual([1, 2, 3, 5, 6, 7]);
  expect(html(render(BoxPanel, { props: { sign, box: 7, stakes } }))).toMatch(/[Bb]ox 7\b/);
  const receipt = html(render(Receipt, { props: { sign, payments } }));
  for (const { box } of payments) expect(receipt).toMatch(new RegExp(`[Bb]ox ${box}\\b`));
  expect(html(render(Refusal, { props: { sign, problem: { code: "box", message: "", detail: "box.taken", values: { box: 5 } } } }))).toMatch(/box 5\b/i);
  const felt = html(render(Felt, { props: { view, busy: false, onconfirm: () => undefined, onperson: () => undefined, onnew: () => undefined } }));
  const shown = [...felt.matchAll(/number-of-box[^>]*>(\d+)</g)].map((match) => Number(match[1])).sort();
  expect(shown).toEqual(sign.geometry.numbers.slice(0, sign.positions));
});

test("steps, questions, answers and events have the printed number", () => {
  const words: string[] = [];
  for (const [name, view] of VIEWS) {
    if (!name.startsWith("tiger-buffalo-")) continue;
    const { sign, round } = view.public;
    if (view.next_step?.box) words.push(stepWords(view));
    for (const action of view.actions) {
      words.push(fixedWords(action, { sign, round: round ?? null }));
      for (const ask of action.asks ?? []) {
        if (/(^|\.)(to_)?box$/.test(ask.field)) words.push(...(ask.choices ?? []).map((each) => choiceWords(ask.field, each, { sign, round: round ?? null })));
      }
    }
  }
  const { sign } = fixture<View>("tiger-buffalo-betting-dealer").public;
  const events = [
    { event: "wagers_placed", person: "alice", box: 7, wagers: { tie: 500 } },
    { event: "boxes_confirmed", boxes: [3, 5] },
    { event: "flagged", flag: "above_maximum", about: { code: "bet", values: { person: "alice", box: 7, bet: "tie" } } },
  ] as unknown as SeenEvent[];
  const told = events.flatMap((event) => eventDetails(event, sign)).join(" ");
  for (const number of [3, 5, 7]) expect(told).toMatch(new RegExp(`\\b${number}\\b`));
  expect(words.filter((each) => /[Bb]ox [567]\b/.test(each)).length).toBeGreaterThan(5);
  expect(words.filter((each) => SKIPPED.test(each))).toEqual([]);
});
