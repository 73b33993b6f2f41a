/**
 * Where the boxes and bets of a layout lie. Without a drawing of its own a layout gets an arc of positions round the
 * dealer, each with Player and Banker nearest to the player and the other bets in rows before them.
 */

import type { BetSign, Odds, Sign } from "./types";

export interface Spot {
  box: number;
  bet: string;
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

const INNER = 620, OUTER = 1180, MARGIN = 26;

/** A bet on the points that a result comes on: which result, and on how many points. */
export function pointsOf(code: string): { family: "player_wins_on" | "banker_wins_on" | "tie_wins_on"; points: number } | null {
  const match = /^((?:player|banker|tie)_wins_on)_(\d)$/.exec(code);
  return match ? { family: match[1] as "player_wins_on", points: Number(match[2]) } : null;
}

/** The bets of a box in rows, nearest to the player last: side bets, bets on points, then Tie, Banker and Player. */
export function rowsOf(bets: readonly BetSign[]): BetSign[][] {
  const last = ["tie", "any_tie", "banker", "player"];
  const rows: BetSign[][] = [];
  const rest = bets.filter((bet) => !last.includes(bet.code) && !pointsOf(bet.code));
  const across = rest.length > 6 ? 3 : 2;
  for (let at = 0; at < rest.length; at += across) rows.push(rest.slice(at, at + across));
  for (const family of ["tie_wins_on", "banker_wins_on", "player_wins_on"]) {
    rows.push(bets.filter((bet) => pointsOf(bet.code)?.family === family));
  }
  for (const code of last) rows.push(bets.filter((bet) => bet.code === code));
  return rows.filter((row) => row.length > 0);
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

/** How deep a row is: hands have the most room. */
const depth = (row: readonly BetSign[]): number =>
  row.some((bet) => bet.code === "player" || bet.code === "banker") ? 1.35 : 1;

/** A sensible drawing for any layout: `sign` says how many positions there are and which bets. */
export function arcDrawing({ positions, bets }: Pick<Sign, "positions" | "bets">): Drawing {
  const rows = rowsOf(bets);
  const whole = rows.reduce((sum, row) => sum + depth(row), 0);
  const each = Math.min(30, 150 / positions);
  const gap = each * 0.07;
  const left = 90 + (each * positions) / 2;
  const spots: Spot[] = [];
  const boxes: BoxPlace[] = [];
  for (let box = 1; box <= positions; box++) {
    const from = left - (box - 1) * each - gap / 2;
    const to = from - each + gap;
    let inner = INNER;
    for (const row of rows) {
      const outer = inner + ((OUTER - INNER) * depth(row)) / whole;
      const part = (to - from) / row.length;
      row.forEach((bet, index) => {
        spots.push(spotOf(box, bet, from + index * part, from + (index + 1) * part, inner + 3, outer - 3));
      });
      inner = outer;
    }
    const middle = (from + to) / 2;
    boxes.push({ box, ...at(middle, OUTER + 40), turn: middle - 90 });
  }
  return { ...bounds(left, boxes), spots, boxes };
}

function spotOf(box: number, bet: BetSign, from: number, to: number, inner: number, outer: number): Spot {
  const middle = (from + to) / 2, radius = (inner + outer) / 2;
  const corner = (angle: number, distance: number): string => {
    const { x, y } = at(angle, distance);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  const path =
    `M${corner(from, inner)}A${inner.toFixed(1)} ${inner.toFixed(1)} 0 0 0 ${corner(to, inner)}` +
    `L${corner(to, outer)}A${outer.toFixed(1)} ${outer.toFixed(1)} 0 0 1 ${corner(from, outer)}Z`;
  return {
    box,
    bet: bet.code,
    path,
    ...at(middle, radius),
    width: (radius * (from - to) * Math.PI) / 180,
    height: outer - inner,
    turn: middle - 90,
    main: bet.code === "player" || bet.code === "banker",
  };
}

/** A point by its angle, 90 straight down from the dealer and more to the left, and its distance. */
function at(angle: number, distance: number): { x: number; y: number } {
  const radians = (angle * Math.PI) / 180;
  return { x: Math.cos(radians) * distance, y: Math.sin(radians) * distance };
}

/** Everything, with a margin: from the inner corner of the first box down to the numbers of the boxes. */
function bounds(leftmost: number, boxes: readonly BoxPlace[]): Pick<Drawing, "left" | "top" | "width" | "height" | "centre"> {
  const half = Math.max(at(leftmost - 180, OUTER + 70).x, INNER * 0.75);
  const top = Math.min(at(leftmost, INNER).y, INNER * 0.35);
  const bottom = Math.max(...boxes.map((box) => box.y)) + 50;
  return {
    left: -half - MARGIN,
    top: top - MARGIN,
    width: 2 * (half + MARGIN),
    height: bottom - top + 2 * MARGIN,
    centre: { x: 0, y: (top + INNER) / 2 },
  };
}
