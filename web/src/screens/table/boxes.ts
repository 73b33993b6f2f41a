/** Boxes as people call them: by the number that the cloth prints. */

import type { Sign } from "../../lib/types";

export function printedNumber(sign: Pick<Sign, "geometry">, box: number): number {
  return sign.geometry.numbers[box - 1] ?? box;
}
