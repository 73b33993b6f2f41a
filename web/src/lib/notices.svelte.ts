/** Messages that pop up and go, and words for screen readers. */

import { untrack } from "svelte";

import { refusalText } from "./i18n.svelte";
import { Trouble } from "./http";
import { Refused } from "./line";
import { session } from "./session.svelte";
import type { Terms } from "./refusalWords";
import type { Problem } from "./types";

export interface Notice {
  id: number;
  tone: "good" | "bad" | "plain";
  text: string;
  /** The server's own words, in English. */
  detail: string;
  paragraph: string;
}

class Notices {
  all = $state<Notice[]>([]);
  /** What the live region says. */
  spoken = $state("");
  #next = 1;

  show(text: string, tone: Notice["tone"] = "plain", paragraph = "", detail = "", milliseconds = 6_000): void {
    const id = this.#next++;
    // An effect that shows a notice must not run again because of it.
    this.all = [...untrack(() => this.all).slice(-3), { id, tone, text, detail, paragraph }];
    setTimeout(() => this.drop(id), milliseconds);
  }

  /**
   * Show what went wrong, whatever it is; errors of the page itself go on to the console. With the sign of the table
   * that refused, its words have the names and numbers on the cloth.
   */
  trouble(error: unknown, sign: Terms = {}): void {
    const problem = problemOf(error);
    if (!problem) throw error;
    const text = refusalText(problem, sign);
    // What the floor refuses has its reason in the server's words only; those are for staff.
    const said = problem.detail || problem.message === text || session.who?.role === "player";
    this.show(text, "bad", problem.paragraph ?? "", said ? "" : problem.message);
  }

  drop(id: number): void {
    this.all = this.all.filter((notice) => notice.id !== id);
  }

  /** Say something to screen readers, once. */
  say(text: string): void {
    this.spoken = text;
  }
}

export const notices = new Notices();

/** The problem behind a refusal or a failed request; undefined for any other error. */
export function problemOf(error: unknown): Problem | undefined {
  return error instanceof Refused || error instanceof Trouble ? error.problem : undefined;
}
