/** How cards are drawn: where the pips stand. */

import type { Card } from "./types";

export type Suit = "s" | "h" | "d" | "c";
export type Rank = "A" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "T" | "J" | "Q" | "K";

export const rankOf = (card: Card): Rank => card.charAt(0) as Rank;
export const suitOf = (card: Card): Suit => card.charAt(1) as Suit;
export const isRed = (suit: Suit): boolean => suit === "h" || suit === "d";
/** The corner of a card: `10`, `K`. */
export const rankText = (rank: Rank): string => (rank === "T" ? "10" : rank);

export interface Pip {
  x: number;
  y: number;
  /** The lower half stands on its head. */
  turned: boolean;
}

const LEFT = 0.33, MIDDLE = 0.5, RIGHT = 0.67;
const TOP = 0.16, BOTTOM = 0.84, CENTRE = 0.5;

const pair = (y: number): [number, number][] => [[LEFT, y], [RIGHT, y]];
const COLUMNS_OF_TWO = [...pair(TOP), ...pair(BOTTOM)];
const COLUMNS_OF_THREE = [...COLUMNS_OF_TWO, ...pair(CENTRE)];
const COLUMNS_OF_FOUR = [...COLUMNS_OF_TWO, ...pair(TOP + 0.68 / 3), ...pair(BOTTOM - 0.68 / 3)];

const PLACES: Partial<Record<Rank, [number, number][]>> = {
  A: [[MIDDLE, CENTRE]],
  "2": [[MIDDLE, TOP], [MIDDLE, BOTTOM]],
  "3": [[MIDDLE, TOP], [MIDDLE, CENTRE], [MIDDLE, BOTTOM]],
  "4": COLUMNS_OF_TWO,
  "5": [...COLUMNS_OF_TWO, [MIDDLE, CENTRE]],
  "6": COLUMNS_OF_THREE,
  "7": [...COLUMNS_OF_THREE, [MIDDLE, 0.33]],
  "8": [...COLUMNS_OF_THREE, [MIDDLE, 0.33], [MIDDLE, 0.67]],
  "9": [...COLUMNS_OF_FOUR, [MIDDLE, CENTRE]],
  T: [...COLUMNS_OF_FOUR, [MIDDLE, 0.273], [MIDDLE, 0.727]],
};

/** The pips of a card as parts of its width and height; none on court cards. */
export function pips(rank: Rank): Pip[] {
  return (PLACES[rank] ?? []).map(([x, y]) => ({ x, y, turned: y > CENTRE }));
}

/** Suits as paths, each within a square from −1 to 1. */
export const SUIT_PATHS: Record<Suit, string> = {
  h: "M0 .95C-.35 .55-.98 .15-.98-.38C-.98-.74-.72-.95-.44-.95C-.22-.95-.07-.8 0-.62C.07-.8 .22-.95 .44-.95C.72-.95 .98-.74 .98-.38C.98 .15 .35 .55 0 .95Z",
  d: "M0-1C.2-.62 .46-.28 .76 0C.46 .28 .2 .62 0 1C-.2 .62-.46 .28-.76 0C-.46-.28-.2-.62 0-1Z",
  s: "M0-.98C.3-.55 .95-.2 .95 .28C.95 .58 .74 .74 .5 .74C.32 .74 .18 .66 .09 .52C.12 .74 .2 .88 .34 .98H-.34C-.2 .88-.12 .74-.09 .52C-.18 .66-.32 .74-.5 .74C-.74 .74-.95 .58-.95 .28C-.95-.2-.3-.55 0-.98Z",
  c: "M0-.97C.27-.97 .46-.78 .46-.53C.46-.38 .4-.25 .29-.16C.36-.2 .44-.21 .51-.21C.77-.21 .97-.01 .97 .25C.97 .51 .77 .71 .51 .71C.33 .71 .18 .63 .09 .5C.12 .74 .2 .88 .34 .98H-.34C-.2 .88-.12 .74-.09 .5C-.18 .63-.33 .71-.51 .71C-.77 .71-.97 .51-.97 .25C-.97-.01-.77-.21-.51-.21C-.44-.21-.36-.2-.29-.16C-.4-.25-.46-.38-.46-.53C-.46-.78-.27-.97 0-.97Z",
};
