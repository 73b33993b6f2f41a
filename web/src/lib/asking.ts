/** How an ask is put to a person: the words of its field and choices, its first answer, and whether it is about money. */

import type { Answer, Answers } from "./actions";
import { betName, boxName, cardName, maybe, t } from "./i18n.svelte";
import { amount } from "./money";
import type { Action, Ask, RoundSeen, Sign } from "./types";

type Choice = string | number | boolean | number[];

/** What a choice is about: the sign names the bets, the round the cards. */
export interface About {
  sign: Sign;
  round: RoundSeen | null;
}

/** The last part of a field: `ruling.to_box` asks for a box. */
export const fieldName = (field: string): string => field.split(".").at(-1) ?? field;

export function fieldWords(field: string, about: About): string {
  if (field.startsWith("wagers.")) return betName(fieldName(field), about.sign.bets);
  const name = fieldName(field);
  return maybe(`ask.${name}`, name.replaceAll("_", " "));
}

export function choiceWords(field: string, value: Choice, about: About): string {
  const name = fieldName(field);
  if (typeof value === "boolean") return maybe(`choice.${name}.${value}`, t(value ? "form.yes" : "form.no"));
  if (Array.isArray(value)) return value.map((each) => cardNumber(each, about)).join(" · ");
  if (typeof value === "number") {
    if (name === "box" || name === "to_box") return boxName(value);
    if (name === "round") return t("shoe.round", { number: value });
    return name === "cards" || name === "number" ? cardNumber(value, about) : String(value);
  }
  switch (name) {
    case "bet":
    case "to_bet":
      return value === "" ? t("sign.all_bets") : betName(value, about.sign.bets);
    case "hand":
      return maybe(`hand.${value}`, value);
    case "result":
      return maybe(`result.${value}`, value);
    case "rank":
      return maybe(`rank.${value}`, value);
    case "person":
      return value;
    default:
      return maybe(`choice.${name}.${value}`, maybe(`family.${value}`, value.replaceAll("_", " ")));
  }
}

/** A card on the table by its number, with what lies open there. */
export function cardNumber(number: number, { round }: About): string {
  const seen = round?.cards.find((each) => each.number === number);
  const words = t("card.number", { number });
  return seen ? `${words} (${seen.card === null ? t("form.face_down") : cardName(seen.card)})` : words;
}

/** What an action is about beside its asks: the person, box, bet, card and so on that are settled. */
export function fixedWords(action: Action, about: About): string {
  const fixed = action.fixed ?? {};
  const words = (name: string): string | undefined => {
    const value = fixed[name] ?? fixed[`ruling.${name}`];
    return value === undefined || value === 0 || value === "" ? undefined : choiceWords(name, value, about);
  };
  return ["person", "box", "bet", "hand", "window", "number", "round"].map(words).filter((each) => each !== undefined).join(" · ");
}

/** An action's name: what it does, or which ruling it proposes. */
export function actionWords(action: Action): string {
  const ruling = action.fixed?.["ruling.ruling"];
  return ruling === undefined ? maybe(`do.${action.do}`, action.do) : maybe(`ruling.${String(ruling)}`, String(ruling));
}

/** Whether an amount is money; cards and rounds are counted as well. */
export const isMoney = (field: string): boolean => !["position", "round"].includes(fieldName(field));

/** The answers before anybody has said anything: the only choice there is, and a name for a request. */
export function firstAnswers(action: Action, preset: Answers, stamp: string): Answers {
  const found: Answers = {};
  for (const ask of action.asks ?? []) {
    const given = preset[ask.field] ?? first(ask, stamp);
    if (given !== undefined) found[ask.field] = given;
  }
  return found;
}

function first(ask: Ask, stamp: string): Answer | undefined {
  const only = ask.kind === "choice" && !ask.optional && ask.choices?.length === 1 ? ask.choices[0] : undefined;
  return ask.field === "request" ? stamp : only;
}

/** From what to what, in words. */
export function rangeWords(ask: Ask, digits: number): string {
  const say = (count: number): string => (isMoney(ask.field) ? amount(Math.abs(count), digits, true) : String(count));
  const turned = (ask.most ?? 0) < 0;
  const [least, most] = turned ? [ask.most, ask.least] : [ask.least, ask.most];
  if (most === undefined || most === null) return "";
  return least === undefined || least === null || isSmall(least) ? t("form.up_to", { most: say(most) }) : `${say(least)} – ${say(most)}`;
}

const isSmall = (count: number): boolean => Math.abs(count) <= 1;
