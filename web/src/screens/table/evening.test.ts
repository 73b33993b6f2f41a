import { expect, test } from "vitest";

import type { LineSeen, Own, Payment, Public, View } from "../../lib/types";
import { netOf, noted, type Kept } from "./evening";

const payment = (round: number, profit: number, box = 1): Payment =>
  ({ person: "ann", box, round, lines: [{ bet: "player", stake: 100, profit, result: "won" } as LineSeen] }) as unknown as Payment;
const view = (payments: Payment[], again: Payment[] = [], round?: number): Pick<View, "public" | "own"> => ({
  public: {
    shoe: { number: 1 },
    round: null,
    last: round ? { number: round, result: "player", player_total: 9, banker_total: 3, cards: [{ number: 1, hand: "player", card: "9h" }, { number: 2, hand: "banker", card: "3h" }] } : null,
  } as unknown as Public,
  own: { payments, again } as unknown as Own,
});

test("an evening keeps each round once, with its cards, and a round that is settled again as it counts now", () => {
  let kept: Kept = { since: 0, rounds: [] };
  kept = noted(kept, view([payment(1, 100)], [], 1));
  expect(noted(kept, view([payment(1, 100)]))).toBe(kept);
  kept = noted(kept, view([payment(2, -100), payment(2, 50, 3)], [], 2));
  expect(kept.rounds.map(({ round, player, banker, totals }) => [round, player, banker, totals])).toEqual([
    [1, ["9h"], ["3h"], [9, 3]],
    [2, ["9h"], ["3h"], [9, 3]],
  ]);
  expect(netOf(kept)).toBe(50);
  kept = noted(kept, view([payment(2, -100), payment(2, 50, 3)], [payment(2, 100)]));
  expect(netOf(kept)).toBe(250);
  expect(noted(kept, { ...view([]), own: null })).toBe(kept);
});
