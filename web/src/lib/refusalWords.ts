/** Why something was refused, in the words of the catalogue that page and server share. */

import { aboutWords } from "./aboutWords";
import type { Printed } from "./boxes";
import { LANGUAGES, type Language } from "./catalogue";
import { amount, money } from "./money";
import { COMMAS, KINDS, NOTHING, type Kind } from "./tableWords";
import type { Card, Problem } from "./types";
import { betWords, cardWords, isKey, say, sentence } from "./words";

/** What a table's sign says of names and money; without one, amounts have two decimals. */
export interface Terms extends Printed {
  digits?: number;
  currency?: string;
}

/** A problem in a sentence: the catalogue's for its reason, or the server's own where the reason is new. */
export function refusalWords(language: Language, problem: Pick<Problem, "code" | "message" | "detail" | "values">, terms: Terms = {}): string {
  const key = `refusal.${problem.detail || problem.code}`;
  if (!isKey(key)) return problem.message;
  const values = Object.entries(problem.values ?? {}).map(([name, value]) => [name, valueWords(language, KINDS[name] ?? "text", value, terms)] as const);
  return sentence(language, key, Object.fromEntries(values));
}

type Value = NonNullable<Problem["values"]>[string];

function valueWords(language: Language, kind: Kind, value: Value, terms: Terms): string {
  if (typeof value === "object") return value.map((each) => valueWords(language, kind, each, terms)).join(COMMAS[LANGUAGES.indexOf(language)]) || NOTHING;
  if (typeof value === "number") {
    if (kind !== "money") return String(value);
    const { digits = 2, currency } = terms;
    return currency ? money(value, { currency, digits }) : amount(value, digits);
  }
  if (kind === "about") return aboutWords(language, terms, value);
  if (kind === "bet") return betWords(language, value, terms.bets);
  if (kind === "card") return cardWords(language, value as Card);
  const key = `${kind}.${value}`;
  if (isKey(key)) return say(language, key);
  return kind === "text" ? value || NOTHING : value.replaceAll("_", " ");
}
