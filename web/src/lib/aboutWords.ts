/** What an incident is about, in a language. */

import type { Printed } from "./boxes";
import type { Language } from "./catalogue";
import { betWords, isBet, say } from "./words";

/**
 * Somebody's chips on a bet, or a card at a hand, as the server puts that together, in the viewer's language. What a
 * person has written stays as it is.
 */
export function aboutWords(language: Language, sign: Printed, about: string): string {
  const [, person, box, bet] = /^(.+) box (\d+) (\w+)$/.exec(about) ?? [];
  if (person && bet && isBet(bet, sign.bets)) {
    return [person, say(language, "box.number", { number: Number(box) }), betWords(language, bet, sign.bets)].join(" · ");
  }
  const [, card, hand] = /^card (\d+)(?: at (player|banker))?$/.exec(about) ?? [];
  if (!card) return about;
  return [say(language, "happened.card", { number: card }), ...(hand ? [say(language, `hand.${hand as "player" | "banker"}`)] : [])].join(" · ");
}
