/** Money in whole minor units, as text and back; odds as text. No fractions of a unit, no floats. */

import type { Account, Odds } from "./types";

export interface Currency {
  currency: string;
  digits: number;
}

/** What an account holds of a currency. */
export function holds(account: Account, currency: string): number {
  return account.balances.find((each) => each.currency === currency)?.balance ?? 0;
}

/** How many digits a currency has after the point; 2 where nobody knows it. The floor has the last word. */
export function digitsOf(currency: string): number {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2; // a house's own unit
  }
}

/** `1,234.50`: thousands apart, decimals as the currency has them; `short` leaves out decimals that are zero. */
export function amount(minor: number, digits: number, short = false): string {
  const sign = minor < 0 ? "−" : "";
  const text = String(Math.abs(minor)).padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits).replace(/\B(?=(\d{3})+$)/g, ",");
  const rest = text.slice(text.length - digits);
  return sign + (digits === 0 || (short && /^0+$/.test(rest)) ? whole : `${whole}.${rest}`);
}

/** `SGD 1,234.50`. */
export function money(minor: number, { currency, digits }: Currency, short = false): string {
  return `${currency} ${amount(minor, digits, short)}`;
}

/** With its sign: `+50.00`, `−50.00`, `0.00`. */
export function signed(minor: number, digits: number, short = false): string {
  return (minor > 0 ? "+" : "") + amount(minor, digits, short);
}

/** As little text as a chip has room for: `5`, `2.5K`, `10K`, `1M`; in full where that would not be exact. */
export function chipText(minor: number, digits: number): string {
  const unit = 10 ** digits;
  for (const [size, letter] of [[1_000_000 * unit, "M"], [1_000 * unit, "K"]] as const) {
    if (minor >= size && (minor * 10) % size === 0) {
      const tenths = (minor * 10) / size;
      return (tenths % 10 === 0 ? String(tenths / 10) : `${Math.floor(tenths / 10)}.${tenths % 10}`) + letter;
    }
  }
  return amount(minor, digits, true);
}

/** What somebody has typed, in minor units; null where it is no amount. */
export function parseAmount(text: string, digits: number): number | null {
  const match = /^(\d+)(?:\.(\d*))?$/.exec(text.replace(/[\s,]/g, ""));
  if (!match) return null;
  const rest = match[2] ?? "";
  if (rest.length > digits) return null;
  const minor = Number(match[1] + rest.padEnd(digits, "0"));
  return Number.isSafeInteger(minor) ? minor : null;
}

/** The two numbers of the odds as the rule books print them: 19 to 20 is `0.95` and `1`. */
export function oddsParts({ pays, to }: Odds): [pays: string, to: string] {
  if (to > 10) {
    for (let digits = 1; digits <= 4; digits++) {
      if (10 ** digits % to === 0) return [amount((pays * 10 ** digits) / to, digits), "1"];
    }
  }
  return [String(pays), String(to)];
}
