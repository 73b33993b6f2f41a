/** What the plots show. */

import type { BetChances, GameOdds, ShoeStep } from "../../lib/types";

export interface Line {
  name: string;
  values: (number | null)[];
  colour: string;
  dash: number[];
}

const COLOURS = ["#5aa2f0", "#f0736c", "#57c08a", "#f0d394", "#c78bf0", "#6fd6d6", "#f09ac0", "#b9c46a"];

/** Each line of a plot can be told from the others, in colour or by its dashes. */
export function styleOf(index: number): Pick<Line, "colour" | "dash"> {
  return { colour: COLOURS[index % COLOURS.length] ?? "#fff", dash: index < COLOURS.length ? [] : [6, 4] };
}

/** The edges of some bets over numbers of decks. */
export function byDecks(found: ReadonlyMap<number, GameOdds>, codes: readonly string[], name: (code: string) => string): { xs: number[]; lines: Line[] } {
  const xs = [...found.keys()].sort((a, b) => a - b);
  const edge = (decks: number, code: string): number | null => found.get(decks)?.bets.find((bet) => bet.code === code)?.edge.decimal ?? null;
  return { xs, lines: codes.map((code, index) => ({ name: name(code), values: xs.map((decks) => edge(decks, code)), ...styleOf(index) })) };
}

/** The edges of some bets after each round of a shoe. */
export function byRound(course: readonly ShoeStep[], codes: readonly string[], name: (code: string) => string): { xs: number[]; lines: Line[] } {
  // rounds are counted over the whole day; the plot begins with the shoe
  const xs = course.map((_, index) => index);
  return { xs, lines: codes.map((code, index) => ({ name: name(code), values: course.map((step) => step.edges[code] ?? null), ...styleOf(index) })) };
}

/** The bets one looks at first: the hands, which are of one size; else the first ones there are. */
export function firstBets(bets: readonly BetChances[]): string[] {
  const codes = bets.map((bet) => bet.code);
  const hands = ["player", "banker"].filter((code) => codes.includes(code));
  return hands.length ? hands : codes.slice(0, 2);
}
