/** Boxes and bets as people call them: by the number and the name that the cloth prints. */

import type { BetSign, Geometry } from "./types";
import { betWords, isBet } from "./words";

/** What has a cloth; where it is not known yet, boxes are called as they are counted. */
export interface Printed {
  geometry?: Pick<Geometry, "numbers">;
  bets?: readonly BetSign[];
}

export function printedNumber(sign: Printed, box: number): number {
  return sign.geometry?.numbers[box - 1] ?? box;
}

/** Words of the server, which counts boxes from 1 on and has codes for bets, with the numbers and names that the cloth prints. */
export function printedText(sign: Printed, text: string): string {
  const name = (code: string): string => (isBet(code, sign.bets) ? betWords("en", code, sign.bets) : code);
  return (
    text
      .replace(/\b(box(?:es)? )(\d+(?:(?:, | and )\d+)*)/gi, (_, word: string, numbers: string) => word + numbers.replace(/\d+/g, (box) => String(printedNumber(sign, Number(box)))))
      .replace(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, name)
      // A code that is a word of its own, as player, is a bet only where a bet stands: after these, or with an amount in a list.
      .replace(/(\b(?:on|carry|about|box \d+) |[:,] (?=\w+ \d))([a-z]+)\b/g, (_, before: string, code: string) => before + name(code))
  );
}
