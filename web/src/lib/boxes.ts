/** Boxes as people call them: by the number that the cloth prints. */

import type { Geometry } from "./types";

/** What has a cloth; where it is not known yet, boxes are called as they are counted. */
export interface Printed {
  geometry?: Pick<Geometry, "numbers">;
}

export function printedNumber(sign: Printed, box: number): number {
  return sign.geometry?.numbers[box - 1] ?? box;
}

/** Words of the server, which counts boxes from 1 on, with the numbers that the cloth prints. */
export function printedText(sign: Printed, text: string): string {
  return text.replace(/\b(box(?:es)? )(\d+(?:(?:, | and )\d+)*)/gi, (_, word: string, numbers: string) => word + numbers.replace(/\d+/g, (box) => String(printedNumber(sign, Number(box)))));
}
