/** Rounds that are over, and their replay. */

import { request } from "../../lib/http";
import type { RoundEntry, View } from "../../lib/types";

const of = (table: string): string => `/api/tables/${encodeURIComponent(table)}`;

/** The rounds of a shoe, the latest first. */
export async function roundsOf(table: string, shoe: number): Promise<RoundEntry[]> {
  const rounds = await request<RoundEntry[]>("GET", `${of(table)}/rounds?shoe=${shoe}`);
  return rounds.reverse();
}

/** The most views that the floor gives at once. */
const MOST = 300;

/** A round step by step as this viewer may see it; steps that change nothing for the eye are left out. */
export async function replayOf(table: string, { first, last }: RoundEntry): Promise<View[]> {
  const views: View[] = [];
  for (let from = first; from <= last; from += MOST) {
    const to = Math.min(last, from + MOST - 1);
    views.push(...(await request<View[]>("GET", `${of(table)}/replay?first=${from}&last=${to}`)));
  }
  return distinct(views);
}

export function distinct(views: readonly View[]): View[] {
  const looks = views.map(({ public: seen, own }) =>
    JSON.stringify([seen.phase, seen.round, seen.last, seen.stakes, seen.insurance, seen.waits, own?.wagers, own?.insurance, own?.payments]),
  );
  return views.filter((_, index) => index === 0 || looks[index] !== looks[index - 1]);
}

/** Where a signed receipt of what happened up to a version is fetched. */
export const receiptPath = (table: string, version: number): string => `${of(table)}/receipts/${version}`;

/** Hand a file to the browser to keep. */
export function keep(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
