/** The language that the page speaks, kept in the browser. */

import { LANGUAGES, type Key, type Language } from "./catalogue";
import { amount, oddsParts } from "./money";
import { refusalWords, type Terms } from "./refusalWords";
import type { BetSign, Card, Odds, Problem, Sign } from "./types";
import { betWords, cardWords, isKey, payWords, say, type Values } from "./words";

const STORED = "puntobanco.language";

function first(): Language {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages];
  for (const each of wanted) {
    const found = LANGUAGES.find((language) => each?.toLowerCase().startsWith(language.slice(0, 2)));
    if (found) return found;
  }
  return "en";
}

class Speech {
  language = $state<Language>(first());

  /** Change the language, now and for the next visit. */
  speak(language: Language): void {
    this.language = language;
    localStorage.setItem(STORED, language);
  }
}

export const speech = new Speech();

export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", "zh-Hans": "简体中文", vi: "Tiếng Việt" };

/** Words of the catalogue in the language of the page; in a component they follow the language. */
export const t = (key: Key, values?: Values): string => say(speech.language, key, values);
/** The same for a key that is put together from what the server sends; `otherwise` where there is none. */
export const maybe = (key: string, otherwise: string, values?: Values): string => (isKey(key) ? t(key, values) : otherwise);
export const betName = (code: string, bets?: readonly BetSign[]): string => betWords(speech.language, code, bets);
/** A game's title: English has the book's, other languages the catalogue's where it knows the game. */
export const gameName = ({ game, title }: { game: string; title: string }): string => (speech.language === "en" ? title : maybe(`game.${game}`, title));
export const payName = (name: string): string => payWords(speech.language, name);
export const cardName = (card: Card | null): string => cardWords(speech.language, card);
/** A box by its printed number, as every screen calls it. */
export const boxName = (box: number): string => t("box.number", { number: box });
/** What lies on a bet of a box, as it is read out. */
export const betInBox = (sign: Sign, box: number, bet: string, lies = 0): string => {
  const values = { bet: betName(bet, sign.bets), box: box };
  return lies ? t("box.on_bet", { ...values, amount: amount(lies, sign.digits, true) }) : t("box.empty_bet", values);
};
/** Why something was refused; with the sign of the table that refused, in its names and its money. */
export const refusalText = (problem: Problem, sign?: Terms): string => refusalWords(speech.language, problem, sign);

/** Limits of a bet, from the least to the most. */
export function limitsText({ minimum, maximum }: { minimum?: number; maximum?: number | null }, digits: number): string {
  return `${amount(minimum ?? 1, digits, true)} – ${maximum === undefined || maximum === null ? t("sign.no_maximum") : amount(maximum, digits, true)}`;
}

/** What a bet pays in as few words as a button has room for: `1:1 (wins on 6: 1:2)`, `10–50:1`. */
export function shortPays({ pays }: Pick<BetSign, "pays">): string {
  const text = (odds: Odds): string => oddsParts(odds).join(":");
  const usual = pays.find(({ name }) => name === "on other points");
  const except = pays.find(({ name }) => name === "on 6 points");
  if (usual && except && pays.length === 2) return t("pays.but_on_six", { usual: text(usual.odds), six: text(except.odds) });
  const sorted = [...pays].sort((one, other) => one.odds.pays / one.odds.to - other.odds.pays / other.odds.to);
  const least = sorted[0], most = sorted.at(-1);
  if (!least || !most) return "";
  const [from, to] = oddsParts(least.odds), [upTo, by] = oddsParts(most.odds);
  return from === upTo && to === by ? `${from}:${to}` : to === by ? `${from}–${upTo}:${to}` : `${from}:${to}–${upTo}:${by}`;
}
