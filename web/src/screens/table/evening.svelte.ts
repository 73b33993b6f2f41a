/** The evening of a player at one table, as this browser keeps it. */

import { session } from "../../lib/session.svelte";
import type { View } from "../../lib/types";
import { noted, type Kept } from "./evening";

/** The evening at one table, remembered for as long as the browser's tab is open. */
export class Evening {
  kept = $state.raw<Kept>({ since: Date.now(), rounds: [] });

  constructor(private readonly table: string) {
    try {
      const read = JSON.parse(sessionStorage.getItem(this.#key) ?? "null") as Kept | null;
      if (read && Array.isArray(read.rounds) && typeof read.since === "number") this.kept = read;
    } catch {
      // What was not written by this page is forgotten.
    }
  }

  see(view: View): void {
    const now = noted(this.kept, view);
    if (now === this.kept) return;
    this.kept = now;
    sessionStorage.setItem(this.#key, JSON.stringify(now));
  }

  /** He has left: the next time is another evening. */
  end(): void {
    this.kept = { since: Date.now(), rounds: [] };
    sessionStorage.removeItem(this.#key);
  }

  get #key(): string {
    return `puntobanco.evening.${session.who?.person ?? ""}.${this.table}`;
  }
}
