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

/** How a bead is marked, but in Chinese. */
export const LETTERS: Record<Winner, string> = { player: "P", banker: "B", tie: "T" };

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

/** The Big Road of plain results: a column for each run of wins, which turns to the right where there is no room below. */
export function bigRoad(results: readonly string[]): RoadCell[] {
  const cells: RoadCell[] = [];
  const taken = new Set<string>();
  let start = -1, last: RoadCell | undefined, side = "";
  for (const result of results) {
    if (result === "tie") {
      if (last) last.ties = (last.ties ?? 0) + 1;
      continue;
    }
    let row = 0, column = start + 1;
    if (last && result === side) {
      const below = last.row + 1 < ROWS && !taken.has(`${last.row + 1} ${last.column}`);
      [row, column] = below ? [last.row + 1, last.column] : [last.row, last.column + 1];
    } else {
      while (taken.has(`0 ${column}`)) column += 1;
      start = column;
    }
    side = result;
    last = { row, column, mark: result === "player" ? "P" : "B" };
    taken.add(`${row} ${column}`);
    cells.push(last);
  }
  return cells;
}

/** What players call a good road: so many wins of one side in a row, or so many that took turns; ties break neither. */
export function goodRoad(results: readonly string[]): { kind: "streak" | "chop"; side: Winner; count: number } | null {
  const wins = results.filter((result): result is "player" | "banker" => result === "player" || result === "banker").reverse();
  const [side] = wins;
  if (!side) return null;
  const run = (same: boolean): number => 1 + wins.slice(1).findIndex((win, index) => (win === wins[index]) !== same);
  const length = (same: boolean): number => run(same) || wins.length;
  if (length(true) >= 4) return { kind: "streak", side, count: length(true) };
  if (length(false) >= 5) return { kind: "chop", side, count: length(false) };
  return null;
}
