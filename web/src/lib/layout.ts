/** Where the boxes and bets of a layout lie, worked out from the geometry on its sign. */
import type { BetSign, Box, Odds, Row, Sign, Window } from "./types";

export interface Spot {
  box: number;
  bet: string;
  /** What the cloth prints there, as far as that is not the bet's name. */
  label: string;
  chinese: string;
  /** Outline, as an SVG path. */
  path: string;
  /** Where label and chips go. */
  x: number;
  y: number;
  /** How much room there is round that point. */
  width: number;
  height: number;
  /** By how many degrees the label is turned. */
  turn: number;
  main: boolean;
}

export interface BoxPlace {
  /** What is printed there. */
  box: number;
  x: number;
  y: number;
  turn: number;
}

/** What is printed over a row of a position. */
export interface RowTitle {
  box: number;
  /** As the book has it. */
  title: string;
  /** The bets on points below it, where it names those. */
  family: Family | null;
  x: number;
  y: number;
  width: number;
  height: number;
  turn: number;
}

/** A line of a pay table: what it pays for, by name or by the points of both hands, and how much. */
export interface PayLine {
  name: string;
  points: [own: string, other: string] | null;
  odds: Odds;
}

/** A pay table in the middle of the cloth; insurance has a part for each window. */
export interface PayTable {
  bet: string;
  parts: { window: Window | null; lines: PayLine[] }[];
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Drawing {
  /** The part of the plane to show. */
  left: number;
  top: number;
  width: number;
  height: number;
  /** Where cards lie, between dealer and boxes. */
  centre: { x: number; y: number };
  spots: Spot[];
  titles: RowTitle[];
  tables: PayTable[];
  boxes: BoxPlace[];
}

/** What of a sign is drawn. */
export type Cloth = Pick<Sign, "positions" | "geometry" | "bets" | "insurance_pays">;

/** Rings round the dealer: the inner and outer radius, how many degrees they span at most, and a position at most. */
interface Ring {
  inner: number;
  outer: number;
  span: number;
  each: number;
}

const HALF_MOON: Ring = { inner: 620, outer: 1180, span: 150, each: 30 };
const BEAN: Ring = { inner: 980, outer: 1500, span: 116, each: 18 };
const MARGIN = 26, GAP = 3;
const POSITION = { width: 250, height: 470, gap: 26, across: 8, cards: 250 };

/** A title has this share of an untitled row's depth. */
const TITLE = 0.42;
/** Of pay tables: how wide one is, one with points, and how far apart two are, the depth of a line, and what is left free below for what goes on. */
export const TABLE = { width: 232, points: 216, gap: 12, line: 27, head: 12, centre: 330, half: 220 };

type Family = "player_wins_on" | "banker_wins_on" | "tie_wins_on";

/** A bet on the points that a result comes on: which result, and on how many points. */
export function pointsOf(code: string): { family: Family; points: number } | null {
  const match = /^((?:player|banker|tie)_wins_on)_(\d)$/.exec(code);
  return match ? { family: match[1] as Family, points: Number(match[2]) } : null;
}

/** How wide words are, about, in letters' heights. */
export const textWidth = (words: string): number => [...words].reduce((sum, letter) => sum + (letter > "⺀" ? 1.05 : 0.56), 0);

/** The bets of a position in the rows of its cloth, without the boxes for insurance. */
export function betRows(sign: Pick<Sign, "bets" | "geometry">): { box: Box; bet: BetSign }[][] {
  const bets = new Map(sign.bets.map((bet) => [bet.code, bet]));
  return sign.geometry.rows
    .map((row) =>
      row.boxes.flatMap((box) => {
        const bet = bets.get(box.bet);
        return bet ? [{ box, bet }] : [];
      }),
    )
    .filter((row) => row.length > 0);
}

export interface SignRow {
  bet: BetSign;
  /** Bets on points stand in one row where they have the same limits. */
  family: Family | null;
  members: { points: number; odds: Odds }[];
}

/** The bets of a sign in its rows. */
export function signRows(bets: readonly BetSign[]): SignRow[] {
  const rows: SignRow[] = [];
  for (const bet of bets) {
    const on = pointsOf(bet.code);
    const odds = bet.pays[0]?.odds;
    if (!on || !odds || bet.pays.length !== 1) {
      rows.push({ bet, family: null, members: [] });
      continue;
    }
    const same = rows.find(
      (row) =>
        row.family === on.family &&
        row.bet.minimum === bet.minimum &&
        row.bet.maximum === bet.maximum &&
        row.bet.step === bet.step &&
        row.bet.paragraph === bet.paragraph,
    );
    if (same) same.members.push({ points: on.points, odds });
    else rows.push({ bet, family: on.family, members: [{ points: on.points, odds }] });
  }
  return rows;
}

/** The drawing of a layout: half-moon, bean or straight row. The first position is on the players' right. */
export function drawingOf(sign: Cloth): Drawing {
  switch (sign.geometry.shape) {
    case "arc":
      return ringDrawing(sign, HALF_MOON);
    case "bean":
      return ringDrawing(sign, BEAN);
    case "row":
      return rowDrawing(sign);
  }
}

/** The nearest spot in a direction; what lies aside counts twice. */
export function nextSpot<S extends Pick<Spot, "x" | "y">>(spots: readonly S[], from: S, [right, down]: readonly [number, number]): S | undefined {
  const cost = (spot: S): number => {
    const x = spot.x - from.x, y = spot.y - from.y;
    const ahead = x * right + y * down, aside = Math.abs(x * down) + Math.abs(y * right);
    return ahead <= 1 || aside > 2 * ahead ? Infinity : ahead + 2 * aside;
  };
  return spots.reduce<S | undefined>((found, spot) => (spot !== from && cost(spot) < (found ? cost(found) : Infinity) ? spot : found), undefined);
}

/** The parts of a length that rows or boxes take, as starts and ends from 0 to 1. */
function parts(shares: readonly number[]): [start: number, end: number][] {
  const whole = shares.reduce((sum, share) => sum + share, 0);
  let done = 0;
  return shares.map((share) => [done / whole, (done += share) / whole]);
}

/** The rows of a position: each box with its part of the depth and of the width, and the titles with theirs. */
function partsOf(rows: readonly Row[]): { boxes: { box: Box; depth: [number, number]; across: [number, number] }[]; titles: { row: Row; depth: [number, number] }[] } {
  const depths = parts(rows.flatMap((row) => [row.title ? TITLE : 0, row.height ?? 1]));
  const depth = (at: number): [number, number] => depths[at] ?? [0, 1];
  return {
    boxes: rows.flatMap((row, at) => {
      const widths = parts(row.boxes.map((box) => box.width ?? 1));
      return row.boxes.map((box, index) => ({ box, depth: depth(2 * at + 1), across: widths[index] ?? [0, 1] }));
    }),
    titles: rows.flatMap((row, at) => (row.title ? [{ row, depth: depth(2 * at) }] : [])),
  };
}

const titled = (box: number, row: Row): Pick<RowTitle, "box" | "title" | "family"> => {
  const families = new Set(row.boxes.map((each) => pointsOf(each.bet)?.family ?? null));
  return { box, title: row.title ?? "", family: families.size === 1 ? ([...families][0] ?? null) : null };
};

const printed = (box: number, each: Box): Pick<Spot, "box" | "bet" | "label" | "chinese" | "main"> => ({
  box,
  bet: each.bet,
  label: each.label ?? "",
  chinese: each.chinese ?? "",
  main: each.bet === "player" || each.bet === "banker",
});

// --- pay tables

/** `0–5`, `4`, `1–3, 5`: points that follow each other as a range. */
export function rangeText(points: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const point of [...points].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last[1] === point - 1) last[1] = point;
    else runs.push([point, point]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(", ");
}

/** What the pay tables of the cloth say. Insurance that this table does not offer is left out. */
function payTables({ geometry, bets, insurance_pays: insured = [] }: Cloth): Pick<PayTable, "bet" | "parts">[] {
  return (geometry.printed ?? []).flatMap((code): Pick<PayTable, "bet" | "parts">[] => {
    const bet = bets.find((each) => each.code === code);
    if (bet) return [{ bet: code, parts: [{ window: null, lines: bet.pays.map(({ name = "", odds }) => ({ name, points: null, odds })) }] }];
    const rows = insured.filter((row) => code === `${row.hand}_insurance`);
    const windows = [...new Set(rows.map((row) => row.window))];
    const parts = windows.map((window) => ({
      window,
      lines: rows
        .filter((row) => row.window === window)
        .map(({ own, other, odds }): PayLine => ({ name: "", points: [rangeText(own), rangeText(other)], odds })),
    }));
    return parts.length ? [{ bet: code, parts }] : [];
  });
}

/** The pay tables side by side round the middle, from 0 downwards, and how deep those above the middle are. */
function placeTables(cloth: Cloth): { tables: PayTable[]; above: number } {
  const { gap, line, head, half } = TABLE;
  const found = payTables(cloth).map((table) => ({ ...table, width: table.parts[0]?.window ? TABLE.points : TABLE.width }));
  const whole = found.reduce((sum, table) => sum + table.width + gap, -gap);
  let x = -whole / 2;
  const tables = found.map((table): PayTable => {
    // The name, the heads of windows and of columns, the lines.
    const lines = table.parts.reduce((sum, part) => sum + part.lines.length + (part.window ? 1 : 0), table.parts[0]?.window ? 2 : 1);
    const placed = { ...table, x, y: 0, height: lines * line + head };
    x += table.width + gap;
    return placed;
  });
  const above = Math.max(0, ...tables.filter((table) => table.x < half && table.x + table.width > -half).map((table) => table.height));
  return { tables, above };
}

// --- round the dealer

function ringDrawing(cloth: Cloth, ring: Ring): Drawing {
  const { positions, geometry } = cloth;
  const each = Math.min(ring.each, ring.span / positions);
  const half = (each * positions) / 2;
  const rows = partsOf(geometry.rows);
  const spots: Spot[] = [];
  const titles: RowTitle[] = [];
  const boxes: BoxPlace[] = [];
  for (const [place, box] of geometry.numbers.slice(0, positions).entries()) {
    const right = 90 - half + place * each + each * 0.035;
    const left = right + each * 0.93;
    const angle = (part: number): number => left + (right - left) * part;
    const radius = (part: number): number => ring.inner + (ring.outer - ring.inner) * part;
    for (const { box: found, depth, across } of rows.boxes) {
      const inner = radius(depth[0]) + GAP, outer = radius(depth[1]) - GAP;
      spots.push({ ...printed(box, found), ...wedge(angle(across[0]), angle(across[1]), inner, outer) });
    }
    for (const { row, depth } of rows.titles) {
      const { x, y, width, height, turn } = wedge(left, right, radius(depth[0]), radius(depth[1]));
      titles.push({ ...titled(box, row), x, y, width, height, turn });
    }
    boxes.push({ box, ...at(angle(0.5), ring.outer + 40), turn: angle(0.5) - 90 });
  }
  const { tables, above } = placeTables(cloth);
  // Pay tables stand as low as the ring lets them, and above what goes on in the middle.
  const low = Math.min(
    ring.inner - TABLE.centre - above,
    ...tables.map((table) => Math.min(...[table.x, table.x + table.width].map((x) => ringTop(x, half, ring.inner))) - table.height - TABLE.gap * 2),
  );
  const side = Math.max(at(90 - half, ring.outer + 70).x, ring.inner * 0.75, ...tables.map((table) => table.x + table.width));
  const top = Math.min(at(90 - half, ring.inner).y, ring.inner - 300, ...(tables.length ? [low] : []));
  const bottom = Math.max(...boxes.map((box) => box.y)) + 50;
  return {
    left: -side - MARGIN,
    top: top - MARGIN,
    width: 2 * (side + MARGIN),
    height: bottom - top + 2 * MARGIN,
    centre: { x: 0, y: (top + above + ring.inner) / 2 },
    spots,
    titles,
    tables: tables.map((table) => ({ ...table, y: top })),
    boxes,
  };
}

/** How far down one comes at a place without meeting the ring, which spans so many degrees to either side. */
function ringTop(x: number, half: number, inner: number): number {
  const edge = at(90 - half, inner);
  return Math.abs(x) < edge.x ? Math.sqrt(inner ** 2 - x ** 2) : (Math.abs(x) / edge.x) * edge.y;
}

/** A part of a ring between two angles, the left one first. */
function wedge(left: number, right: number, inner: number, outer: number): Omit<Spot, "box" | "bet" | "label" | "chinese" | "main"> {
  const middle = (left + right) / 2, radius = (inner + outer) / 2;
  const corner = (angle: number, distance: number): string => {
    const { x, y } = at(angle, distance);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  const path =
    `M${corner(left, inner)}A${inner.toFixed(1)} ${inner.toFixed(1)} 0 0 0 ${corner(right, inner)}` +
    `L${corner(right, outer)}A${outer.toFixed(1)} ${outer.toFixed(1)} 0 0 1 ${corner(left, outer)}Z`;
  return { path, ...at(middle, radius), width: (radius * (left - right) * Math.PI) / 180, height: outer - inner, turn: middle - 90 };
}

/** A point by its angle, 90 straight down from the dealer and more to the left, and its distance. */
function at(angle: number, distance: number): { x: number; y: number } {
  const radians = (angle * Math.PI) / 180;
  return { x: Math.cos(radians) * distance, y: Math.sin(radians) * distance };
}

// --- in straight rows

function rowDrawing(cloth: Cloth): Drawing {
  const { positions, geometry } = cloth;
  const { width, height, gap } = POSITION;
  const { tables, above } = placeTables(cloth);
  const cards = tables.length ? Math.max(above + TABLE.centre, ...tables.map((table) => table.height + 2 * MARGIN)) : POSITION.cards;
  const lines = Math.ceil(positions / POSITION.across);
  const across = Math.ceil(positions / lines);
  const rows = partsOf(geometry.rows);
  const spots: Spot[] = [];
  const titles: RowTitle[] = [];
  const boxes: BoxPlace[] = [];
  for (const [place, box] of geometry.numbers.slice(0, positions).entries()) {
    const line = Math.floor(place / across);
    const x = (across - 1 - (place % across)) * (width + gap);
    const y = cards + line * (height + 90);
    for (const { box: found, depth, across: part } of rows.boxes) {
      const left = x + part[0] * width + GAP, wide = (part[1] - part[0]) * width - 2 * GAP;
      const top = y + depth[0] * height + GAP, high = (depth[1] - depth[0]) * height - 2 * GAP;
      const path = `M${left.toFixed(1)} ${top.toFixed(1)}h${wide.toFixed(1)}v${high.toFixed(1)}h${(-wide).toFixed(1)}Z`;
      spots.push({ ...printed(box, found), path, x: left + wide / 2, y: top + high / 2, width: wide, height: high, turn: 0 });
    }
    for (const { row, depth } of rows.titles) {
      const high = (depth[1] - depth[0]) * height;
      titles.push({ ...titled(box, row), x: x + width / 2, y: y + depth[0] * height + high / 2, width, height: high, turn: 0 });
    }
    boxes.push({ box, x: x + width / 2, y: y + height + 36, turn: 0 });
  }
  const whole = across * (width + gap) - gap;
  const side = Math.max(whole / 2, ...tables.map((table) => table.x + table.width)) + MARGIN * 2;
  return {
    left: whole / 2 - side,
    top: 0,
    width: 2 * side,
    height: cards + lines * (height + 90) + MARGIN,
    centre: { x: whole / 2, y: (above + cards) / 2 },
    spots,
    titles,
    tables: tables.map((table) => ({ ...table, x: table.x + whole / 2, y: MARGIN })),
    boxes,
  };
}
