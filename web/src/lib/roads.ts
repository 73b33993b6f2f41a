/** Roads as they are drawn: marks read, and the part that fits the space. */

import type { RoadCell, Scoreboard } from "./types";

export const ROWS = 6;
export type RoadName = "bead_plate" | "big_road" | "big_eye_boy" | "small_road" | "cockroach_pig";
export type Winner = "player" | "banker" | "tie";

export interface Mark {
  winner: Winner;
  bankerPair: boolean;
  playerPair: boolean;
  natural: boolean;
  free: boolean;
}

const WINNERS: Record<string, Winner> = { P: "player", B: "banker", T: "tie" };

/** A result in the notation of docs/roads.md: `B^_*`, `(P)`. */
export function readMark(mark: string): Mark {
  const letter = mark.replace(/[^PBT]/g, "");
  return {
    winner: WINNERS[letter] ?? "tie",
    bankerPair: mark.includes("^"),
    playerPair: mark.includes("_"),
    natural: mark.includes("*"),
    free: mark.startsWith("("),
  };
}

/** The first column to show, so that the last ones are seen with `spare` empty ones after them. */
export function firstColumn(cells: readonly RoadCell[], columns: number, spare = 1): number {
  const last = cells.reduce((most, cell) => Math.max(most, cell.column), -1);
  return Math.max(0, last + 1 + spare - columns);
}

/** The cells within the columns shown, moved to the left edge. */
export function shown<T extends { row: number; column: number }>(cells: readonly T[], first: number, columns: number): T[] {
  return cells
    .filter((cell) => cell.column >= first && cell.column < first + columns && cell.row < ROWS)
    .map((cell) => ({ ...cell, column: cell.column - first }));
}

/** A bead plate of plain results, as the lobby has them. */
export function beads(results: readonly string[]): RoadCell[] {
  const letters: Record<string, string> = { player: "P", banker: "B", tie: "T" };
  return results.map((result, index) => ({
    row: index % ROWS,
    column: Math.floor(index / ROWS),
    mark: letters[result] ?? "T",
  }));
}

/** The latest results of the shoe, newest first. */
export function latest(roads: Scoreboard, count = 5): Winner[] {
  return roads.bead_plate
    .slice(-count)
    .reverse()
    .map((cell) => readMark(cell.mark).winner);
}
