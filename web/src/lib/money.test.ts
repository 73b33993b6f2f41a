import { expect, test } from "vitest";

import { VIEWS, chance } from "../testing/fixtures";
import { amount, chipText, digitsOf, holds, money, oddsParts, parseAmount, signed } from "./money";

const random = chance(1);
const some = Array.from({ length: 500 }, () => Math.floor(random() * 10 ** Math.floor(random() * 13)));

test("amounts are written with thousands apart and all decimals", () => {
  expect(amount(123_456_789, 2)).toBe("1,234,567.89");
  expect(amount(5, 2)).toBe("0.05");
  expect(amount(-150_000, 2)).toBe("−1,500.00");
  expect(amount(1_000, 0)).toBe("1,000");
  expect(amount(150_000, 2, true)).toBe("1,500");
  expect(amount(150_050, 2, true)).toBe("1,500.50");
  expect(money(100, { currency: "SGD", digits: 2 })).toBe("SGD 1.00");
  expect(money(100, { currency: "JPY", digits: 0 })).toBe("JPY 100");
  expect([signed(1, 0), signed(-1, 0), signed(0, 0)]).toEqual(["+1", "−1", "0"]);
});

test("what is written is read back, whatever the digits", () => {
  for (const digits of [0, 1, 2, 3, 4]) for (const minor of some) expect(parseAmount(amount(minor, digits), digits)).toBe(minor);
});

test("text that is no amount is not read", () => {
  for (const text of ["", "-1", "1.234", "abc", "1e5", "1.2.3", ".5", "9".repeat(17)]) expect(parseAmount(text, 2), text).toBeNull();
});

test("a chip's text stands for its value exactly", () => {
  const sizes: { [letter: string]: bigint } = { K: 1_000n, M: 1_000_000n };
  for (const minor of some) {
    const match = /^([\d,]+)(?:\.(\d+))?([KM]?)$/.exec(chipText(minor, 2));
    expect(match, chipText(minor, 2)).not.toBeNull();
    const [, whole = "", rest = "", letter = ""] = match ?? [];
    const shown = BigInt(whole.replaceAll(",", "") + rest.padEnd(2, "0")) * (sizes[letter] ?? 1n);
    expect(shown).toBe(BigInt(minor));
  }
});

test("odds of every bet keep their value, in numbers as the books print them", () => {
  expect(oddsParts({ pays: 19, to: 20 })).toEqual(["0.95", "1"]);
  expect(oddsParts({ pays: 1, to: 2 })).toEqual(["1", "2"]);
  for (const [, view] of VIEWS) {
    for (const { odds } of view.public.sign.bets.flatMap((bet) => bet.pays)) {
      const [pays, to] = oddsParts(odds).map((part) => {
        const [whole = "", rest = ""] = part.replaceAll(",", "").split(".");
        return BigInt(whole + rest.padEnd(4, "0"));
      });
      expect((pays ?? 0n) * BigInt(odds.to)).toBe((to ?? 0n) * BigInt(odds.pays));
    }
  }
});

test("an account holds each currency apart", () => {
  const account = { person: "ann", balances: [{ currency: "HKD", digits: 2, balance: 500 }, { currency: "JPY", digits: 0, balance: 7 }] };
  expect(holds(account, "HKD")).toBe(500);
  expect(holds(account, "JPY")).toBe(7);
  expect(holds(account, "SGD")).toBe(0);
});

test("a currency counts as many digits as it has", () => {
  expect(["SGD", "HKD", "JPY", "VND", "KWD", "PTS5", ""].map(digitsOf)).toEqual([2, 2, 0, 0, 3, 2, 2]);
});
