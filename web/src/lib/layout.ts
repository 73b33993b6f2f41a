/** Where the boxes and bets of a layout lie, worked out from the geometry on its sign. */

import { printedNumber } from "./boxes";
import type { BetSign, Box, Odds, Row, Sign } from "./types";

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
  box: number;
  /** What is printed there. */
  number: number;
  x: number;
  y: number;
  turn: number;
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
  boxes: BoxPlace[];
}

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

/** A bet on the points that a result comes on: which result, and on how many points. */
export function pointsOf(code: string): { family: "player_wins_on" | "banker_wins_on" | "tie_wins_on"; points: number } | null {
  const match = /^((?:player|banker|tie)_wins_on)_(\d)$/.exec(code);
  return match ? { family: match[1] as "player_wins_on", points: Number(match[2]) } : null;
}

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
  family: NonNullable<ReturnType<typeof pointsOf>>["family"] | null;
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
export function drawingOf(sign: Pick<Sign, "positions" | "geometry">): Drawing {
  switch (sign.geometry.shape) {
    case "arc":
      return ringDrawing(sign, HALF_MOON);
    case "bean":
      return ringDrawing(sign, BEAN);
    case "row":
      return rowDrawing(sign);
  }
}

/** The parts of a length that rows or boxes take, as starts and ends from 0 to 1. */
function parts(shares: readonly number[]): [start: number, end: number][] {
  const whole = shares.reduce((sum, share) => sum + share, 0);
  let done = 0;
  return shares.map((share) => [done / whole, (done += share) / whole]);
}

/** Every box of a position with its part of the depth and of the width. */
function* boxesOf(rows: readonly Row[]): Generator<{ box: Box; depth: [number, number]; across: [number, number] }> {
  const depths = parts(rows.map((row) => row.height ?? 1));
  for (const [at, row] of rows.entries()) {
    const widths = parts(row.boxes.map((box) => box.width ?? 1));
    for (const [index, box] of row.boxes.entries()) {
      yield { box, depth: depths[at] ?? [0, 1], across: widths[index] ?? [0, 1] };
    }
  }
}

const printed = (box: number, each: Box): Pick<Spot, "box" | "bet" | "label" | "chinese" | "main"> => ({
  box,
  bet: each.bet,
  label: each.label ?? "",
  chinese: each.chinese ?? "",
  main: each.bet === "player" || each.bet === "banker",
});

// --- round the dealer

function ringDrawing({ positions, geometry }: Pick<Sign, "positions" | "geometry">, ring: Ring): Drawing {
  const each = Math.min(ring.each, ring.span / positions);
  const half = (each * positions) / 2;
  const spots: Spot[] = [];
  const boxes: BoxPlace[] = [];
  for (let box = 1; box <= positions; box++) {
    const right = 90 - half + (box - 1) * each + each * 0.035;
    const left = right + each * 0.93;
    const angle = (part: number): number => left + (right - left) * part;
    const radius = (part: number): number => ring.inner + (ring.outer - ring.inner) * part;
    for (const { box: found, depth, across } of boxesOf(geometry.rows)) {
      const inner = radius(depth[0]) + GAP, outer = radius(depth[1]) - GAP;
      spots.push({ ...printed(box, found), ...wedge(angle(across[0]), angle(across[1]), inner, outer) });
    }
    boxes.push({ box, number: printedNumber({ geometry }, box), ...at(angle(0.5), ring.outer + 40), turn: angle(0.5) - 90 });
  }
  const side = Math.max(at(90 - half, ring.outer + 70).x, ring.inner * 0.75);
  const top = Math.min(at(90 - half, ring.inner).y, ring.inner - 300);
  const bottom = Math.max(...boxes.map((box) => box.y)) + 50;
  return {
    left: -side - MARGIN,
    top: top - MARGIN,
    width: 2 * (side + MARGIN),
    height: bottom - top + 2 * MARGIN,
    centre: { x: 0, y: (top + ring.inner) / 2 },
    spots,
    boxes,
  };
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

function rowDrawing({ positions, geometry }: Pick<Sign, "positions" | "geometry">): Drawing {
  const { width, height, gap, cards } = POSITION;
  const lines = Math.ceil(positions / POSITION.across);
  const across = Math.ceil(positions / lines);
  const spots: Spot[] = [];
  const boxes: BoxPlace[] = [];
  for (let box = 1; box <= positions; box++) {
    const line = Math.floor((box - 1) / across);
    const x = (across - 1 - ((box - 1) % across)) * (width + gap);
    const y = cards + line * (height + 90);
    for (const { box: found, depth, across: part } of boxesOf(geometry.rows)) {
      const left = x + part[0] * width + GAP, wide = (part[1] - part[0]) * width - 2 * GAP;
      const top = y + depth[0] * height + GAP, high = (depth[1] - depth[0]) * height - 2 * GAP;
      const path = `M${left.toFixed(1)} ${top.toFixed(1)}h${wide.toFixed(1)}v${high.toFixed(1)}h${(-wide).toFixed(1)}Z`;
      spots.push({ ...printed(box, found), path, x: left + wide / 2, y: top + high / 2, width: wide, height: high, turn: 0 });
    }
    boxes.push({ box, number: printedNumber({ geometry }, box), x: x + width / 2, y: y + height + 36, turn: 0 });
  }
  const whole = across * (width + gap) - gap;
  return {
    left: -MARGIN * 2,
    top: 0,
    width: whole + MARGIN * 4,
    height: cards + lines * (height + 90) + MARGIN,
    centre: { x: whole / 2, y: cards / 2 },
    spots,
    boxes,
  };
}
