/** What happened at a table, in words: the title of an event, and what it is about. */

import { betName, cardName, limitsText, maybe, speech, t } from "./i18n.svelte";
import { amount, signed } from "./money";
import { aboutWords, type Terms } from "./refusalWords";
import type { About, AnyRuling, Card, Differential, Seen, SeenEvent, Sign } from "./types";

/** What must be known of a table to say what happened there. */
export type TableSign = Pick<Sign, "bets" | "currency" | "digits">;

type Fields = Record<string, unknown>;

/** Kinds of events that one looks for together. */
export const KINDS = {
  matters: /^(incident|ruling|noted|option|cards_arranged|card_valued|cards_retrieved|play_interrupted|insurance_missed|cards_at_fault|flag|shoe_to_be|shoe_choice|confirmation_overridden|walked|stake_ruled|late_chips)/,
  corrections: /(_corrected|round_voided|settled_again|round_reopened|bets_returned|money_ruled|debt_settled)/,
  disputes: /^dispute/,
  money: /^(money|fill|limits|differential|wager|bet_|insured|insurance|stakes|round_settled|table_|debt|bets_returned|boxes)/,
  cards: /^(card|cards|shoe|cut_card|result|round_|free_hand|played_free|early|carried)/,
  people: /^(staff|player|squeeze|walked|came_back|option|shoe_chosen|intention)/,
} as const;
export type Kind = keyof typeof KINDS;

const differentialText = (differential: Differential | null | undefined, digits: number): string =>
  differential ? `${amount(differential.limit, digits, true)} (${maybe(`choice.scope.${differential.scope ?? "table"}`, differential.scope ?? "")})` : "–";

/** The name of an event. */
export function eventTitle(event: SeenEvent | null | undefined): string {
  if (!event) return t("event.unseen");
  const fields = event as unknown as Fields;
  const title = maybe(`event.${event.event}`, event.event.replaceAll("_", " "));
  if (event.event === "money_moved" && event.kind) return t(`moved.${event.kind}`);
  if (typeof fields["family"] === "string") return `${title}: ${maybe(`family.${fields["family"]}`, fields["family"].replaceAll("_", " "))}`;
  if (fields["ruling"]) return `${title}: ${rulingName(fields["ruling"] as AnyRuling)}`;
  if (typeof fields["flag"] === "string") return `${title}: ${maybe(`flag.${fields["flag"]}`, fields["flag"].replaceAll("_", " "))}`;
  return title;
}

export const rulingName = (ruling: AnyRuling): string => maybe(`ruling.${ruling.ruling}`, ruling.ruling.replaceAll("_", " "));

/** What an event is about: round, person, box, bet, amounts, cards and so on, in the order one reads them. */
export function eventDetails(event: SeenEvent | null | undefined, sign: TableSign): string[] {
  if (!event) return [];
  const fields = event as unknown as Fields;
  const parts: string[] = [];
  const add = (value: string | undefined): void => {
    if (value) parts.push(value);
  };
  const text = (name: string): string | undefined => (typeof fields[name] === "string" ? fields[name] : undefined);
  const count = (name: string): number | undefined => (typeof fields[name] === "number" ? fields[name] : undefined);
  const sum = (name: string): string | undefined => {
    const value = count(name);
    return value === undefined ? undefined : amount(value, sign.digits);
  };
  const box = (at: number): string => t("happened.box", { number: at });
  const card = (value: unknown): string => (typeof value === "string" ? cardName(value as Card) : t("card.back"));

  const number = count("number") ?? count("round");
  if (number && /^(round|free_hand|card_corrected|hand_corrected|card_struck|card_added|order_corrected|cards_told|bet_corrected|insurance_corrected|insurance_moved|insurance_reread|dispute_raised|incident_opened)/.test(event.event)) {
    const round = event.event === "incident_opened" || event.event === "dispute_raised" || /corrected|moved|struck|added|told/.test(event.event) ? count("round") : number;
    if (round) add(t("happened.round", { number: round }));
  } else if (event.event.startsWith("card_") && number) add(t("happened.card", { number }));
  else if (event.event.startsWith("shoe_") && number) add(t("shoe.title", { number }));
  if (event.event === "card_corrected" || event.event === "hand_corrected" || event.event === "card_struck" || event.event === "card_added") add(t("happened.card", { number: event.number }));
  if (count("dispute")) add(t("happened.dispute", { number: count("dispute") ?? 0 }));
  add(text("person"));
  if (Array.isArray(fields["people"])) add((fields["people"] as string[]).join(", "));
  const rank = text("rank");
  if (rank) add(maybe(`rank.${rank}`, rank));
  if (count("box")) add(box(count("box") ?? 0));
  if (Array.isArray(fields["boxes"])) add((fields["boxes"] as number[]).map(box).join(", "));
  const bet = text("bet");
  if (bet) add(betName(bet, sign.bets as Sign["bets"]));
  const hand = text("hand");
  if (hand) add(maybe(`hand.${hand}`, hand));
  if (fields["wagers"] && !Array.isArray(fields["wagers"])) {
    for (const [code, stake] of Object.entries(fields["wagers"] as Record<string, number>)) add(`${betName(code, sign.bets as Sign["bets"])} ${amount(stake, sign.digits)}`);
  }
  for (const name of ["amount", "stake", "stands", "pays"]) if (count(name)) add(sum(name));
  if (event.event === "limits_set" && event.limits && event.before) {
    if (!event.bet) add(t("sign.all_bets"));
    add(`${limitsText(event.before, sign.digits)} → ${limitsText(event.limits, sign.digits)}`);
    if (event.round) add(t("happened.from_round", { number: event.round }));
  }
  if (event.event === "differential_set") {
    add(`${differentialText(event.before, sign.digits)} → ${differentialText(event.differential, sign.digits)}`);
    if (event.round) add(t("happened.from_round", { number: event.round }));
  }
  if (event.event === "table_closed" && event.result !== undefined) add(signed(event.result, sign.digits));
  if (event.event === "table_opened" && event.settings) add(`${event.settings.game} ${event.settings.layout}`);
  if ("card" in fields && fields["card"] !== undefined) add(card(fields["card"]));
  if (Array.isArray(fields["cards"])) {
    const cards = fields["cards"] as unknown[];
    if (cards.length && typeof cards[0] !== "number") add(cards.map(card).join(", "));
  } else if (count("cards")) add(t("happened.cards", { count: count("cards") ?? 0 }));
  const result = text("result");
  if (result) add(maybe(`result.${result}`, result));
  if (event.event === "result_announced") add(`${event.player_total} : ${event.banker_total}`);
  add(text("coup"));
  const was = fields["was"];
  if (was !== undefined && was !== null && was !== "") {
    add(t("happened.was", { was: typeof was === "number" ? amount(was, sign.digits) : event.event === "card_corrected" ? card(was) : maybe(`result.${String(was)}`, String(was)) }));
  }
  for (const name of ["what", "grounds", "kind", "fault"]) {
    const value = fields[name];
    if (event.event === "money_moved" || value === undefined) continue;
    add((Array.isArray(value) ? (value as string[]) : [String(value)]).map((each) => maybe(`choice.${name}.${each}`, each.replaceAll("_", " "))).join(", "));
  }
  if (typeof fields["goes_on"] === "boolean") add(maybe(`choice.goes_on.${String(fields["goes_on"])}`, ""));
  if (text("needs")) add(t("happened.needs", { rank: maybe(`rank.${text("needs") ?? ""}`, text("needs") ?? "") }));
  for (const name of ["about", "decision", "note", "reason", "request", "evidence"]) {
    if (fields[name]) add(aboutText(sign, fields[name] as string | About));
  }
  if (text("by")) add(t("happened.by", { person: text("by") ?? "" }));
  if (text("approved_by")) add(t("happened.approved", { person: text("approved_by") ?? "" }));
  return parts;
}

/** What an incident or a flag is about, in the viewer's language. */
export const aboutText = (sign: Terms, about: string | About): string => aboutWords(speech.language, about, sign);

/** The paragraph behind it. */
export function eventParagraph(event: SeenEvent | null | undefined): string {
  const found = (event as unknown as Fields | null | undefined)?.["paragraph"];
  return typeof found === "string" ? found : "";
}

/** Everything that can be searched for in an event: its words in this language, and what is recorded. */
export function eventText(seen: Seen, sign: TableSign): string {
  const { event } = seen;
  return [seen.version, seen.actor ?? "", eventTitle(event), ...eventDetails(event, sign), JSON.stringify(event ?? "")].join(" ").toLowerCase();
}

/** A moment as the record has it: `2026-03-01 21:05:09`, in UTC. */
export function timeText(at: number, seconds = true): string {
  const text = new Date(at).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, seconds ? 19 : 16)}`;
}

export const clockText = (at: number): string => new Date(at).toISOString().slice(11, 19);

