/** Words of the catalogue in a language. */

import { CATALOGUE, LANGUAGES, type Key, type Language } from "./catalogue";
import type { BetSign, Card } from "./types";

export type Values = Record<string, string | number>;

/** The words of a key, with `{name}` filled in. */
export function say(language: Language, key: Key, values: Values = {}): string {
  const words = CATALOGUE[key][LANGUAGES.indexOf(language)] ?? CATALOGUE[key][0];
  return words.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

/** The same as a sentence of its own: it begins with a capital, but for a name that is filled in. */
export function sentence(language: Language, key: Key, values: Values = {}): string {
  const words = say(language, key, values);
  return say(language, key).startsWith("{") ? words : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether the catalogue has the key: for what comes from the server and may be newer than the page. */
export function isKey(key: string): key is Key {
  return Object.hasOwn(CATALOGUE, key);
}

/** What a bet is called. English follows the rule book; other languages the catalogue, where it has the bet. */
export function betWords(language: Language, code: string, bets: readonly BetSign[] = []): string {
  const named = bets.find((bet) => bet.code === code)?.name;
  if (named !== undefined && language === "en") return named;
  const key = `bet.${code}`;
  if (isKey(key)) return say(language, key);
  const onPoints = /^(player|banker|tie)_wins_on_(\d)$/.exec(code);
  if (onPoints) return say(language, `bet.${onPoints[1] as "player" | "banker" | "tie"}_wins_on`, { points: Number(onPoints[2]) });
  return named ?? code.replaceAll("_", " ");
}

/** What a line of a bet's pays is called. */
export function payWords(language: Language, name: string): string {
  const key = `pay.${name}`;
  return language !== "en" && isKey(key) ? say(language, key) : name;
}

/** A card as a screen reader says it. */
export function cardWords(language: Language, card: Card | null): string {
  if (card === null) return say(language, "card.back");
  const rank = card.charAt(0);
  const key = `rank_of_card.${rank}`;
  return say(language, "card.name", {
    rank: isKey(key) ? say(language, key) : rank === "T" ? "10" : rank,
    suit: say(language, `suit.${card.charAt(1) as "s" | "h" | "d" | "c"}`),
  });
}
