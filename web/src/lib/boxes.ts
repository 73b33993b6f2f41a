/** Bets as people call them: by the name that the cloth prints. Boxes have the numbers it prints everywhere. */

import type { BetSign } from "./types";
import { betWords, isBet } from "./words";

/** What has a cloth. */
export interface Printed {
  bets?: readonly BetSign[];
}

/** Words of the server, which has codes for bets, with the names that the cloth prints. */
export function printedText(sign: Printed, text: string): string {
  const name = (code: string): string => (isBet(code, sign.bets) ? betWords("en", code, sign.bets) : code);
  return (
    text
      .replace(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, name)
      // A code that is a word of its own, as player, is a bet only where a bet stands: after these, or with an amount in a list.
      .replace(/(\b(?:on|carry|about|box \d+) |[:,] (?=\w+ \d))([a-z]+)\b/g, (_, before: string, code: string) => before + name(code))
  );
}
