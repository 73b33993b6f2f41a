/** How the bets of one box are put before a player: the hands and the tie first, all others in groups that fold. */

import { pointsOf } from "./layout";
import type { BetSign, Sign } from "./types";

/** Bets that are shown together: those on the points of one result, or all the other side bets. */
export interface Group {
  key: "side" | "player_wins_on" | "banker_wins_on" | "tie_wins_on";
  bets: BetSign[];
}

const MAINS = ["player", "tie", "any_tie", "banker"];

/** The bets on the result in the order of the table's edge: Player, the tie, Banker. */
export function mainBets({ bets }: Pick<Sign, "bets">): BetSign[] {
  return MAINS.flatMap((code) => bets.filter((bet) => bet.code === code));
}

/** Everything else, in the order of the cloth. */
export function sideGroups({ bets, geometry }: Pick<Sign, "bets" | "geometry">): Group[] {
  const printed = geometry.rows.flatMap((row) => row.boxes.map((box) => box.bet));
  const placed = (bet: BetSign): number => (printed.indexOf(bet.code) + 1 || printed.length + 1) - 1;
  const groups = new Map<Group["key"], BetSign[]>([["side", []]]);
  for (const bet of [...bets].sort((one, other) => placed(one) - placed(other))) {
    if (MAINS.includes(bet.code)) continue;
    const key = pointsOf(bet.code)?.family ?? "side";
    groups.set(key, [...(groups.get(key) ?? []), bet]);
  }
  for (const [key, found] of groups) if (key !== "side") found.sort((one, other) => (pointsOf(one.code)?.points ?? 0) - (pointsOf(other.code)?.points ?? 0));
  return [...groups].flatMap(([key, found]) => (found.length ? [{ key, bets: found }] : []));
}

/** In how many columns a group stands: as few rows as can be read. */
export const columnsOf = ({ key, bets }: Group): number => (key === "side" ? (bets.length <= 4 ? Math.max(bets.length, 2) : bets.length <= 6 ? 3 : 4) : 5);

/** The most rows that any group takes: so much room is kept, whichever is open. */
export const rowsOf = (groups: readonly Group[]): number => Math.max(0, ...groups.map((group) => Math.ceil(group.bets.length / columnsOf(group))));
