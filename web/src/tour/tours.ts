/** The tours: what of a screen is shown to somebody who is there for the first time. */

import type { Role } from "../lib/roles";
import type { Route } from "../lib/route";

export type TourName = "lobby" | "player" | "dealer" | "pit" | "surveillance";

export interface Step {
  /** Its words are `tour.NAME.KEY`. */
  key: string;
  /** Where it points, the first of them that is on the screen; a step without any is left out. */
  at: readonly string[];
}

interface Tour {
  /** There once the screen has come. */
  ready: string;
  steps: readonly Step[];
}

const id = (name: string): string => `[data-testid=${name}]`;
const AGAIN: Step = { key: "again", at: [id("start-tour")] };

export const TOURS = {
  lobby: {
    ready: "[data-table]",
    steps: [
      { key: "tables", at: ["[data-table]"] },
      { key: "filter", at: [".filter"] },
      { key: "odds", at: ["header nav a[href='/odds']"] },
      AGAIN,
    ],
  },
  player: {
    ready: id("table"),
    steps: [
      { key: "phase", at: [".phase"] },
      { key: "seat", at: [id("join")] },
      { key: "bets", at: [".bets"] },
      { key: "cloth", at: [".felt", id("whole")] },
      { key: "chips", at: [id("tray")] },
      { key: "tabs", at: ["[role=tablist]"] },
      AGAIN,
    ],
  },
  dealer: {
    ready: id("dealer-console"),
    steps: [
      { key: "next", at: [id("next-step")] },
      { key: "felt", at: [id("felt")] },
      { key: "wrong", at: [id("open-wrong")] },
      { key: "call", at: [id("call-supervisor")] },
      { key: "keys", at: [id("open-keys")] },
      AGAIN,
    ],
  },
  pit: {
    ready: id("sums"),
    steps: [
      { key: "sums", at: [id("sums")] },
      { key: "tiles", at: ["[data-testid^=tile-]"] },
      { key: "approvals", at: [id("approvals")] },
      { key: "alerts", at: [id("alerts")] },
      { key: "parts", at: ["main nav"] },
      AGAIN,
    ],
  },
  surveillance: {
    ready: id("surveillance"),
    steps: [
      { key: "table", at: [id("watch-table")] },
      { key: "rounds", at: [id("watch-rounds")] },
      { key: "log", at: [id("watch-log")] },
      { key: "flags", at: [id("watch-flags")] },
      { key: "chain", at: [id("watch-chain")] },
      AGAIN,
    ],
  },
} as const satisfies Record<TourName, Tour>;

/** The tour of a screen for this role, if it has one. */
export function tourOf(route: Route, role: Role | undefined): TourName | null {
  switch (route.screen) {
    case "lobby":
      return role === "player" ? "lobby" : null;
    case "table":
      return role === "player" ? "player" : null;
    case "dealer":
      return role === "dealer" || role === "pit" ? "dealer" : null;
    case "pit":
      return role === "pit" || role === "admin" ? "pit" : null;
    case "surveillance":
      return role === undefined || role === "player" || role === "dealer" ? null : "surveillance";
    default:
      return null;
  }
}

/** The tours that the browser remembers as seen, from what is stored there; anything else stored counts as none. */
export function readSeen(stored: string | null): TourName[] {
  try {
    const found: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(found) ? found.filter((each): each is TourName => typeof each === "string" && Object.hasOwn(TOURS, each)) : [];
  } catch {
    return [];
  }
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const GAP = 12;

/** Where the card goes: below what it is about, above it, beside it, or else into the lower corner; always within the window. */
export function placeCard(about: Box | null, card: Pick<Box, "width" | "height">, window: Pick<Box, "width" | "height">): { left: number; top: number } {
  const within = (value: number, size: number, most: number): number => Math.max(GAP, Math.min(value, most - size - GAP));
  const corner = { left: within(window.width, card.width, window.width), top: within(window.height, card.height, window.height) };
  if (!about) return corner;
  const left = within(about.left + about.width / 2 - card.width / 2, card.width, window.width);
  const top = within(about.top, card.height, window.height);
  const below = about.top + about.height + GAP, above = about.top - GAP - card.height;
  const right = about.left + about.width + GAP, before = about.left - GAP - card.width;
  if (below + card.height + GAP <= window.height) return { left, top: Math.max(GAP, below) };
  if (above >= GAP) return { left, top: Math.min(above, corner.top) };
  if (right + card.width + GAP <= window.width) return { left: right, top };
  return before >= GAP ? { left: before, top } : corner;
}
