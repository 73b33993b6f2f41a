import { expect, test } from "vitest";

import { VIEWS, chance, fixture } from "../testing/fixtures";
import { pips, rankOf, type Rank } from "./cards";
import { breakDown, chipColours, pile } from "./chips";
import { betRows, drawingOf, rangeText, signRows, type Spot } from "./layout";
import { beads, firstColumn, readMark, shown } from "./roads";
import type { Brief, Card, Sign, View } from "./types";

/** Every layout of every game, with as many positions as it can have and with fewer. */
const signs = new Map(
  fixture<Sign[]>("signs").flatMap((sign) =>
    [1, 3, sign.positions].filter((positions) => positions <= sign.positions).map((positions) => [`${sign.game} ${sign.layout} ${positions}`, { ...sign, positions }]),
  ),
);

test("a card has as many pips as it says, the same seen from either end but for the middle ones of the seven", () => {
  for (const card of fixture<{ cards: Card[] }>("index").cards) {
    const rank: Rank = rankOf(card);
    const count = { A: 1, T: 10, J: 0, Q: 0, K: 0 }[rank as "A"] ?? Number(rank);
    expect(pips(rank)).toHaveLength(count);
    if (rank === "7") continue;
    const places = pips(rank).map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`).sort();
    expect(pips(rank).map(({ x, y }) => `${(1 - x).toFixed(3)} ${(1 - y).toFixed(3)}`).sort()).toEqual(places);
  }
});

test("every bet of every box has one place within the drawing, and no two places overlap", () => {
  expect(signs.size).toBeGreaterThan(100);
  for (const [name, sign] of signs) {
    const { spots, boxes, left, top, width, height } = drawingOf(sign);
    const found = sign.geometry.rows.flatMap((row) => row.boxes.map((box) => box.bet));
    expect(found, name).toEqual(expect.arrayContaining(sign.bets.map((bet) => bet.code)));
    expect(spots, name).toHaveLength(sign.positions * found.length);
    expect(new Set(spots.map((spot) => `${spot.box} ${spot.bet}`)).size).toBe(spots.length);
    expect(boxes.map(({ box }) => box)).toEqual(sign.geometry.numbers.slice(0, sign.positions));
    for (const { x, y } of [...spots, ...boxes]) {
      expect(x > left && x < left + width && y > top && y < top + height, name).toBe(true);
    }
    // The first position is on the players' right.
    const first = boxes[0], second = boxes[1];
    if (first && second) expect(first.x).toBeGreaterThan(second.x);
    const straight = sign.geometry.shape === "row";
    const places = [...spots, ...drawingOf(sign).titles].map((spot) => (straight ? flat(spot) : polar(spot)));
    const meet = places.some((one, index) =>
      places.slice(index + 1).some((other) => one.every((range, at) => Math.abs(range.middle - (other[at]?.middle ?? 0)) < range.half + (other[at]?.half ?? 0) - 1e-6)),
    );
    expect(meet, name).toBe(false);
  }
});

type Place = Pick<Spot, "x" | "y" | "width" | "height">;

interface Range {
  middle: number;
  half: number;
}

/** A rectangle as its two ranges. */
function flat(spot: Place): Range[] {
  return [{ middle: spot.x, half: spot.width / 2 }, { middle: spot.y, half: spot.height / 2 }];
}

/** A part of a ring as its ranges of distance and of angle. */
function polar(spot: Place): Range[] {
  const distance = Math.hypot(spot.x, spot.y);
  return [
    { middle: distance, half: spot.height / 2 },
    { middle: Math.atan2(spot.y, spot.x), half: spot.width / distance / 2 },
  ];
}

test("titles of rows are drawn over every position, in their book's words", () => {
  for (const [name, sign] of signs) {
    const wanted = sign.geometry.rows.flatMap((row) => row.title ?? []);
    const { titles } = drawingOf(sign);
    expect(titles, name).toHaveLength(wanted.length * sign.positions);
    for (const box of sign.geometry.numbers.slice(0, sign.positions)) expect(titles.filter((each) => each.box === box).map((each) => each.title)).toEqual(wanted);
  }
  const found = drawingOf(signs.get("rws-baccarat A 7") as Sign).titles.slice(0, 3);
  expect(found.map(({ title, family }) => [title, family])).toEqual([
    ["Tie Wins On", "tie_wins_on"], ["Banker Wins On", "banker_wins_on"], ["Player Wins On", "player_wins_on"],
  ]);
});

test("pay tables stand in the middle, in their order, and touch neither each other nor a box", () => {
  let seen = 0;
  for (const [name, sign] of signs) {
    const { tables, spots, left, top, width, height, centre } = drawingOf(sign);
    expect(tables.map((table) => table.bet), name).toEqual(sign.geometry.printed ?? []);
    seen += tables.length;
    tables.forEach((table, index) => {
      expect(table.x > left && table.y > top && table.x + table.width < left + width && table.y + table.height < top + height, name).toBe(true);
      const next = tables[index + 1];
      if (next) expect(table.x + table.width, name).toBeLessThan(next.x);
      expect(centre.y < table.y + table.height && Math.abs(table.x + table.width / 2 - centre.x) < table.width, `${name} ${table.bet}`).toBe(false);
      for (const [x, y] of [[table.x, table.y + table.height], [table.x + table.width, table.y + table.height], [table.x, table.y], [table.x + table.width, table.y]] as const) {
        const inside = spots.some((spot) => (sign.geometry.shape === "row" ? within(flat(spot), [x, y]) : within(polar(spot), [Math.hypot(x, y), Math.atan2(y, x)])));
        expect(inside, `${name} ${table.bet}`).toBe(false);
      }
    });
  }
  expect(seen).toBeGreaterThan(100);
});

const within = (ranges: Range[], point: number[]): boolean => ranges.every((range, at) => Math.abs(range.middle - (point[at] ?? 0)) <= range.half);

test("a pay table says what its bet pays, or insurance at which points", () => {
  const { tables } = drawingOf(signs.get("tiger-buffalo A 6") as Sign);
  const [insurance, charSiu] = tables;
  expect(charSiu?.parts).toEqual([{
    window: null,
    lines: [["four cards", 10], ["five cards", 15], ["six cards", 50]].map(([name, pays]) => ({ name, points: null, odds: { pays, to: 1 } })),
  }]);
  expect(insurance?.parts.map((part) => [part.window, part.lines.length])).toEqual([["four_cards", 3], ["player_third", 5]]);
  expect(insurance?.parts[0]?.lines[1]).toEqual({ name: "", points: ["6", "0–5"], odds: { pays: 5, to: 2 } });
  const bare = { ...(signs.get("tiger-buffalo A 6") as Sign), insurance_pays: [] };
  expect(drawingOf(bare).tables.map((table) => table.bet)).toEqual(["banker_char_siu", "player_char_siu"]);
  expect(rangeText([3, 1, 2, 5, 7, 8])).toBe("1–3, 5, 7–8");
});

test("rows hold every bet once, Player nearest to the player; a sign tells every bet", () => {
  for (const sign of signs.values()) {
    const rows = betRows(sign);
    expect(rows.flat().map(({ bet }) => bet.code).sort()).toEqual(sign.bets.map((bet) => bet.code).sort());
    expect(rows.at(-1)?.map(({ bet }) => bet.code)).toEqual(["player"]);
    const told = signRows(sign.bets).reduce((sum, row) => sum + (row.family ? row.members.length : 1), 0);
    expect(told).toBe(sign.bets.length);
  }
});

test("a broken-down amount adds up, and no fewer chips would do with the usual values", () => {
  const random = chance(3);
  const values = [1_000_000, 100_000, 50_000, 10_000, 2_500, 500, 100];
  for (let round = 0; round < 300; round++) {
    const total = Math.floor(random() * 3_000_000);
    const { chips, rest } = breakDown(total, values);
    expect(chips.reduce((sum, each) => sum + each.value * each.count, rest)).toBe(total);
    expect(rest).toBeLessThan(100);
    expect(pile(total, values).length).toBeLessThanOrEqual(6);
  }
  expect(breakDown(13_500, values).chips).toEqual([{ value: 10_000, count: 1 }, { value: 2_500, count: 1 }, { value: 500, count: 2 }]);
});

test("chips of the usual values have colours of their own", () => {
  const usual = [100, 500, 2_500, 10_000, 50_000, 100_000, 500_000, 1_000_000].map((value) => chipColours(value, 2).face);
  expect(new Set(usual).size).toBe(usual.length);
  expect(chipColours(5, 2).face).toBe(chipColours(100, 2).face);
});

test("marks are read", () => {
  expect(readMark("B^_*")).toEqual({ winner: "banker", bankerPair: true, playerPair: true, natural: true, free: false });
  expect(readMark("(P)")).toEqual({ winner: "player", bankerPair: false, playerPair: false, natural: false, free: true });
  expect(readMark("T").winner).toBe("tie");
});

test("the last columns of a road are shown, with room for the next", () => {
  for (const [, view] of VIEWS) {
    const cells = view.public.roads.big_road;
    for (const columns of [8, 24]) {
      const first = firstColumn(cells, columns);
      const seen = shown(cells, first, columns);
      expect(seen.every((cell) => cell.column >= 0 && cell.column < columns)).toBe(true);
      const last = Math.max(-1, ...cells.map((cell) => cell.column));
      if (cells.length) expect(Math.max(...seen.map((cell) => cell.column))).toBe(Math.min(last, columns - 2));
      expect(seen.length).toBe(cells.filter((cell) => cell.column >= first).length);
    }
  }
});

test("the lobby's beads lie where the table's bead plate has them", () => {
  for (const table of fixture<Brief[]>("tables")) {
    const view = fixture<View>(`${table.game}-settled-display`);
    const plate = view.public.roads.bead_plate.map(({ row, column, mark }) => ({ row, column, mark: mark.replace(/[^PBT]/g, "") }));
    expect(beads(table.beads)).toEqual(plate);
  }
});
