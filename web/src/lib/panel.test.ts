import "../testing/page";

import { expect, test } from "vitest";

import { VIEWS, fixture } from "../testing/fixtures";
import { shortPays } from "./i18n.svelte";
import { nextSpot } from "./layout";
import { columnsOf, mainBets, rowsOf, sideGroups } from "./panel";
import { readPrefs } from "./prefs.svelte";
import { bigRoad, goodRoad } from "./roads";
import { withSeats } from "./lobby";
import type { Sign } from "./types";

const signs = [...new Map([...fixture<Sign[]>("signs"), ...VIEWS.map(([, view]) => view.public.sign)].map((sign) => [`${sign.game} ${sign.layout}`, sign])).values()];

test("Player, the tie and Banker come first at every table, and every bet stands in one place", () => {
  expect(signs.length).toBeGreaterThan(5);
  for (const sign of signs) {
    const mains = mainBets(sign).map((bet) => bet.code), groups = sideGroups(sign);
    expect([mains[0], mains.at(-1)], sign.game).toEqual(["player", "banker"]);
    const all = [...mains, ...groups.flatMap((group) => group.bets.map((bet) => bet.code))];
    expect(all.sort()).toEqual(sign.bets.map((bet) => bet.code).sort());
    for (const group of groups) expect(Math.ceil(group.bets.length / columnsOf(group)), sign.game).toBeLessThanOrEqual(rowsOf(groups));
    expect(rowsOf(groups)).toBeLessThanOrEqual(2);
  }
});

test("what a bet pays is said in as few words as a button has room for", () => {
  const pay = (name: string, pays: number, to = 1) => ({ name, odds: { pays, to } });
  expect(shortPays({ pays: [pay("on 6 points", 1, 2), pay("on other points", 1)] } as never)).toBe("1:1 (wins on 6: 1:2)");
  expect(shortPays({ pays: [pay("four cards", 10), pay("five cards", 15), pay("six cards", 50)] } as never)).toBe("10–50:1");
  expect(shortPays({ pays: [pay("", 8)] } as never)).toBe("8:1");
});

test("arrows go to the nearest bet that way, and nowhere from the edge", () => {
  const at = (x: number, y: number) => ({ x, y });
  const [left, middle, right, below] = [at(0, 0), at(10, 2), at(20, 0), at(11, 12)];
  const all = [left, middle, right, below] as const;
  expect(nextSpot(all, left, [1, 0])).toBe(middle);
  expect(nextSpot(all, middle, [0, 1])).toBe(below);
  expect(nextSpot(all, right, [1, 0])).toBeUndefined();
});

test("a Big Road of plain results turns at the floor and counts ties on the win before", () => {
  const run = bigRoad([...Array<string>(8).fill("banker"), "tie", "player"]);
  expect(run.map(({ row, column }) => [row, column])).toEqual([[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0], [5, 1], [5, 2], [0, 1]]);
  expect(run[7]?.ties).toBe(1);
});

test("a good road is a long run or a long change of sides", () => {
  expect(goodRoad(["player", "banker", "banker", "tie", "banker", "banker"])).toEqual({ kind: "streak", side: "banker", count: 4 });
  expect(goodRoad(["banker", "player", "banker", "player", "banker"])).toEqual({ kind: "chop", side: "banker", count: 5 });
  expect(goodRoad(["banker", "banker", "player"])).toBeNull();
  expect(goodRoad([])).toBeNull();
});

test("what a browser has kept is read, and anything else counts as nothing", () => {
  expect(readPrefs('{"sound":false,"favourites":["A",3]}')).toEqual({ sound: false, stay: false, favourites: ["A"], squeeze: false });
  for (const odd of [null, "x", "[]", "null", '{"stay":-1,"sound":"yes"}']) expect(readPrefs(odd)).toEqual({ sound: true, stay: false, favourites: [], squeeze: false });
});

test("chips at tables count as one's own", () => {
  const seats = [{ table: "A", box: 1, currency: "SGD", digits: 2, chips: 300 }, { table: "B", box: 1, currency: "VND", digits: 0, chips: 7 }];
  const found = withSeats({ person: "ann", balances: [{ currency: "SGD", digits: 2, balance: 1000 }], seats });
  expect(found.map(({ currency, balance, chips }) => [currency, balance, chips])).toEqual([["SGD", 1300, 300], ["VND", 7, 7]]);
});
