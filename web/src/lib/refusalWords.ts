/** Why something was refused and what a case is about, in the words of the catalogue that page and server share. */

import { LANGUAGES, type Language } from "./catalogue";
import { amount, money } from "./money";
import { COMMAS, KINDS, NOTHING, type Kind } from "./tableWords";
import type { About, BetSign, Card, Problem } from "./types";
import { betWords, cardWords, isKey, say, sentence } from "./words";

/** What a table's sign says of names and money; without one, amounts have two decimals. */
export interface Terms {
  bets?: readonly BetSign[];
  digits?: number;
  currency?: string;
}

/** A problem in a sentence: the catalogue's for its reason, or the server's own where the reason is new. */
export function refusalWords(language: Language, problem: Pick<Problem, "code" | "message" | "detail" | "values">, terms: Terms = {}): string {
  const key = `refusal.${problem.detail || problem.code}`;
  if (!isKey(key)) return problem.message;
  return sentence(language, key, filled(language, problem.values, terms));
}

/** What a case, a flag or a note is about. What a person wrote stays as it was written; a code that is new is all there is. */
export function aboutWords(language: Language, about: string | About, terms: Terms = {}): string {
  if (typeof about === "string") return about;
  const key = `about.${about.code}`;
  return isKey(key) ? say(language, key, filled(language, about.values, terms)) : about.code.replaceAll("_", " ");
}

function filled(language: Language, values: Problem["values"] = {}, terms: Terms): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueWords(language, KINDS[name] ?? "text", value, terms)]));
}

type Value = NonNullable<Problem["values"]>[string];

function valueWords(language: Language, kind: Kind, value: Value, terms: Terms): string {
  if (typeof value === "object" && "code" in value) return aboutWords(language, value, terms);
  if (typeof value === "object") return value.map((each) => valueWords(language, kind, each, terms)).join(COMMAS[LANGUAGES.indexOf(language)]) || NOTHING;
  if (typeof value === "number") {
    if (kind !== "money") return String(value);
    const { digits = 2, currency } = terms;
    return currency ? money(value, { currency, digits }) : amount(value, digits);
  }
  if (kind === "bet") return betWords(language, value, terms.bets);
  if (kind === "card" && value) return cardWords(language, value as Card);
  const key = `${kind}.${value}`;
  if (isKey(key)) return say(language, key);
  return (kind === "text" || kind === "about" ? value : value.replaceAll("_", " ")) || NOTHING;
}
