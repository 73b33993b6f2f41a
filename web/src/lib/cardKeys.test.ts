import { expect, test } from "vitest";

import { fixture } from "../testing/fixtures";
import type { Rank } from "./cards";
import { RANKS, SUITS, keyCard, type Keyed } from "./cardKeys";
import type { Card } from "./types";

function typed(text: string): Keyed | null {
  let rank: Rank | "" = "";
  let last: Keyed | null = null;
  for (const key of text) {
    last = keyCard(rank, key);
    if (last) rank = last.rank;
  }
  return last;
}

test("every card has its two keys, in small letters and in capitals", () => {
  const { cards } = fixture<{ cards: Card[] }>("index");
  const made = RANKS.flatMap((rank) => SUITS.map((suit) => `${rank}${suit}`));
  expect([...made].sort()).toEqual([...cards].sort());
  for (const card of cards) {
    expect(typed(card)).toEqual({ rank: "", card });
    expect(typed(card.toLowerCase())).toEqual({ rank: "", card });
    expect(typed(card.toUpperCase())).toEqual({ rank: "", card });
  }
});

test("ten may be keyed as its digits, and the last rank counts", () => {
  expect(typed("10h")?.card).toBe("Th");
  expect(typed("0h")?.card).toBe("Th");
  expect(typed("1h")?.card).toBe("Ah");
  expect(typed("K9d")?.card).toBe("9d");
});

test("a suit without a rank, and any other key, is no card", () => {
  for (const key of ["h", "Enter", " ", "x", "?", "", "Shift"]) expect(keyCard("", key)).toBeNull();
  expect(keyCard("9", "Enter")).toBeNull();
});
