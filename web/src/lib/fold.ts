/** A card that is lifted at a corner: the fold, what of the back still lies there, and where the lifted part shows its face. */

/** Of a card as it is drawn. */
export const WIDTH = 250, HEIGHT = 350;

export interface Point {
  x: number;
  y: number;
}

export interface Fold {
  /** What still lies face down. */
  back: Point[];
  /** What is lifted, as it lies over the rest now. */
  flap: Point[];
  /** The card's face on the flap, as an SVG matrix: its own drawing, turned over and folded. */
  matrix: [number, number, number, number, number, number];
  /** From 0, lying flat, to 1, a corner at the opposite one. */
  part: number;
}

/** Within this share of its width from a corner, a card is taken by the corner; else by an edge. */
const CORNER = 0.16;
/** How far a card is lifted when it is turned at the table: along an edge sooner, for pips show there first. */
const TURNED_AT = { corner: 0.3, edge: 0.12 };

/** A hold on a card: the point of its border, and along what it moves. */
export interface Grip {
  point: Point;
  way: "free" | "x" | "y";
}

/** How a card is taken where a finger lies: by a corner, or by the nearest edge, the long ones first. */
export function gripAt(at: Point): Grip {
  const corners: Point[] = [{ x: 0, y: 0 }, { x: WIDTH, y: 0 }, { x: WIDTH, y: HEIGHT }, { x: 0, y: HEIGHT }];
  const near = corners.find((corner) => Math.hypot(corner.x - at.x, corner.y - at.y) < CORNER * WIDTH);
  if (near) return { point: near, way: "free" };
  const short = Math.min(at.y, HEIGHT - at.y) / HEIGHT, long = Math.min(at.x, WIDTH - at.x) / WIDTH;
  if (long <= short) return { point: { x: at.x < WIDTH / 2 ? 0 : WIDTH, y: at.y }, way: "x" };
  return { point: { x: at.x, y: at.y < HEIGHT / 2 ? 0 : HEIGHT }, way: "y" };
}

/** Where the point that is held goes when the finger is there: the card lies fixed, and an edge comes up straight. */
export function heldAt({ point, way }: Grip, finger: Point): Point {
  return way === "free" ? finger : way === "x" ? { x: finger.x, y: point.y } : { x: point.x, y: finger.y };
}

/** Whether a card is so far up that it is turned at the table. */
export const isTurned = (grip: Grip, at: Point): boolean =>
  foldOf(WIDTH, HEIGHT, grip.point, at).part > TURNED_AT[grip.way === "free" ? "corner" : "edge"];

/** The fold of a card that is lifted at `corner`, which is now at `to`. */
export function foldOf(width: number, height: number, corner: Point, to: Point): Fold {
  const card: Point[] = [{ x: 0, y: 0 }, { x: width, y: 0 }, { x: width, y: height }, { x: 0, y: height }];
  const dx = to.x - corner.x, dy = to.y - corner.y;
  const length = Math.hypot(dx, dy);
  if (length < 1) return { back: card, flap: [], matrix: [-1, 0, 0, 1, width, 0], part: 0 };
  const nx = dx / length, ny = dy / length;
  const offset = nx * (corner.x + dx / 2) + ny * (corner.y + dy / 2);
  const beyond = ({ x, y }: Point): number => nx * x + ny * y - offset;
  const mirror = (point: Point): Point => {
    const away = beyond(point);
    return { x: point.x - 2 * away * nx, y: point.y - 2 * away * ny };
  };
  const [a, b, d] = [1 - 2 * nx * nx, -2 * nx * ny, 1 - 2 * ny * ny];
  const e = 2 * offset * nx, f = 2 * offset * ny;
  return {
    back: cut(card, beyond),
    flap: cut(card, (point) => -beyond(point)).map(mirror),
    // Turned over first (x becomes width − x), then folded.
    matrix: [-a, -b, b, d, a * width + e, b * width + f],
    part: Math.min(1, length / Math.hypot(width, height)),
  };
}

/** The part of a polygon where `side` is not below zero. */
function cut(polygon: readonly Point[], side: (point: Point) => number): Point[] {
  const kept: Point[] = [];
  polygon.forEach((point, index) => {
    const next = polygon[(index + 1) % polygon.length] ?? point;
    const here = side(point), there = side(next);
    if (here >= 0) kept.push(point);
    if (here >= 0 !== there >= 0) {
      const part = here / (here - there);
      kept.push({ x: point.x + (next.x - point.x) * part, y: point.y + (next.y - point.y) * part });
    }
  });
  return kept;
}

export const outline = (polygon: readonly Point[]): string => polygon.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
