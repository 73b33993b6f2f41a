/** Chips: their colours, and an amount as a stack of them. */

export interface ChipColours {
  face: string;
  edge: string;
  text: string;
}

const COLOURS: ChipColours[] = [
  { face: "#e9e4d6", edge: "#5c6f80", text: "#1d2b36" },
  { face: "#b3262f", edge: "#f4e9d8", text: "#fff6e8" },
  { face: "#1f7a4d", edge: "#f1ecd9", text: "#f6fff4" },
  { face: "#23262b", edge: "#d8b45f", text: "#f7e9c3" },
  { face: "#5b2f86", edge: "#e8dcf4", text: "#f8f1ff" },
  { face: "#d6932a", edge: "#3b2508", text: "#2b1a03" },
  { face: "#20508f", edge: "#e5eefb", text: "#f1f7ff" },
  { face: "#8a3b12", edge: "#f2dcc8", text: "#fff1e4" },
  { face: "#0f6d75", edge: "#e0f4f2", text: "#effffd" },
  { face: "#7d1f52", edge: "#f6dcea", text: "#fff0f8" },
];
/** The usual values in whole units, each with a colour of its own. */
const USUAL = [1, 5, 25, 100, 500, 1_000, 5_000, 10_000, 25_000, 100_000];

/** The colours of a chip: by its value as casinos have them, for other values by size. */
export function chipColours(value: number, digits: number): ChipColours {
  const units = value / 10 ** digits;
  const usual = USUAL.indexOf(units);
  const index = usual >= 0 ? usual : Math.max(0, USUAL.findLastIndex((each) => each <= units));
  return COLOURS[index % COLOURS.length] as ChipColours;
}

export interface ChipsOf {
  value: number;
  count: number;
}

/** An amount in as few chips as these values allow, largest first; `rest` is what no chip can show. */
export function breakDown(amount: number, values: readonly number[]): { chips: ChipsOf[]; rest: number } {
  const chips: ChipsOf[] = [];
  let rest = amount;
  for (const value of [...values].sort((a, b) => b - a)) {
    const count = Math.floor(rest / value);
    if (count > 0) chips.push({ value, count });
    rest -= count * value;
  }
  return { chips, rest };
}

/** The values of the chips in a pile, the lowest first, at most so many: larger ones are kept. */
export function pile(amount: number, values: readonly number[], most = 6): number[] {
  const all = breakDown(amount, values).chips.flatMap(({ value, count }) => Array<number>(Math.min(count, most)).fill(value));
  return all.slice(0, most);
}
