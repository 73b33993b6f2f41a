/**
 * A player's own check of a shoe by its receipt, with the browser's SHA-256 and nothing of the server's arithmetic:
 * docs/shoes.md says byte by byte what is done here.
 */

export interface Receipt {
  table: string;
  shoe: number;
  book: string;
  commitment: string;
  salt: string;
  order: string;
  pledges: { pledge: string; seed: string }[];
  cuts: number[];
  cards: (string | null)[];
}

/** What this browser saw before the first card, and gave. */
export interface Seen {
  commitment: string;
  seed: string;
}

/** What was checked, in the order of the page; `own` is about what this browser remembers. */
export const CHECKS = ["whole", "commitment", "pledges", "cards", "own_commitment", "own_seed"] as const;
export type Check = (typeof CHECKS)[number];
export interface Finding {
  check: Check;
  /** Null where there was nothing to hold it against. */
  holds: boolean | null;
}

export class ReceiptError extends Error {}

const HEX = /^[0-9a-f]{64}$/;
const CARD = /^[A2-9TJQK][shdc]$/;
const WORDS = 65_536;

/** Whether this browser has what it takes: pages that do not come over TLS or from this machine have no SHA-256. */
export const canCheck = (): boolean => globalThis.crypto?.subtle !== undefined;

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const unhex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

async function sha256(...parts: Uint8Array[]): Promise<Uint8Array> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

/** A seed that nobody can guess. */
export const freshSeed = (): string => hex(crypto.getRandomValues(new Uint8Array(32)));

export async function pledgeOf(commitment: string, seed: string): Promise<string> {
  return hex(await sha256(ascii("puntobanco seed pledge 1\0"), unhex(commitment), unhex(seed)));
}

/** The receipt in a file of the floor; throws `ReceiptError` where there is none. */
export function readReceipt(text: string): Receipt {
  let found: { receipt?: Partial<Receipt> };
  try {
    found = JSON.parse(text) as { receipt?: Partial<Receipt> };
  } catch {
    throw new ReceiptError();
  }
  const one = found?.receipt;
  const hashes = [one?.book, one?.commitment, one?.salt, ...(Array.isArray(one?.pledges) ? one.pledges.map((each) => each?.pledge) : [null])];
  const right =
    one !== null &&
    one !== undefined &&
    typeof one.table === "string" &&
    Number.isInteger(one.shoe) &&
    hashes.every((each) => typeof each === "string" && HEX.test(each)) &&
    (one.pledges ?? []).every(({ seed }) => seed === "" || (typeof seed === "string" && HEX.test(seed))) &&
    typeof one.order === "string" &&
    Array.isArray(one.cuts) &&
    one.cuts.every((each) => Number.isInteger(each)) &&
    Array.isArray(one.cards) &&
    one.cards.every((each) => each === null || (typeof each === "string" && CARD.test(each)));
  if (!right) throw new ReceiptError();
  return one as Receipt;
}

/** Every card as often as every other, in whole decks. */
function isWhole(order: string[]): boolean {
  const counts = new Map<string, number>();
  for (const card of order) counts.set(card, (counts.get(card) ?? 0) + 1);
  const decks = order.length / 52;
  return Number.isInteger(decks) && decks >= 1 && counts.size === 52 && [...counts].every(([card, count]) => CARD.test(card) && count === decks);
}

/** The order as seeds mix it. */
export async function mixed<T>(order: readonly T[], commitment: string, seeds: readonly string[]): Promise<T[]> {
  const found = [...order];
  if (seeds.length === 0) return found;
  const key = await sha256(ascii("puntobanco shoe seeds 1\0"), unhex(commitment), ...seeds.map(unhex));
  let block = 0;
  let words: number[] = [];
  for (let bound = found.length; bound > 1; bound -= 1) {
    let word: number;
    do {
      if (words.length === 0) {
        const count = new Uint8Array(8);
        new DataView(count.buffer).setUint32(4, block);
        const bytes = await sha256(ascii("puntobanco shoe mix 1\0"), key, count);
        words = Array.from({ length: bytes.length / 2 }, (_, at) => 256 * (bytes[2 * at] as number) + (bytes[2 * at + 1] as number));
        block += 1;
      }
      word = words.shift() as number;
    } while (word >= WORDS - (WORDS % bound));
    const place = word % bound;
    [found[bound - 1], found[place]] = [found[place] as T, found[bound - 1] as T];
  }
  return found;
}

/** All that can be checked, each by itself. */
export async function checkReceipt(receipt: Receipt, seen: Seen | null): Promise<Finding[]> {
  const order = receipt.order.match(/../g) ?? [];
  const committed = hex(await sha256(unhex(receipt.salt), unhex(receipt.book), ascii(receipt.order)));
  const pledged = await Promise.all(receipt.pledges.map(async ({ pledge, seed }) => seed === "" || (await pledgeOf(receipt.commitment, seed)) === pledge));
  const seeds = receipt.pledges.map(({ seed }) => seed).filter((seed) => seed !== "");
  let dealt = await mixed(order, receipt.commitment, seeds);
  let cuts = true;
  for (const position of receipt.cuts) {
    cuts &&= position >= 1 && position < dealt.length;
    dealt = [...dealt.slice(position), ...dealt.slice(0, position)];
  }
  const placed = receipt.cards.length <= dealt.length && receipt.cards.every((card, place) => card === null || card === dealt[place]);
  const holds: Record<Check, boolean | null> = {
    whole: isWhole(order) && receipt.order.length === 2 * order.length,
    commitment: committed === receipt.commitment,
    pledges: pledged.every(Boolean),
    cards: cuts && placed,
    own_commitment: seen?.commitment ? seen.commitment === receipt.commitment : null,
    own_seed: seen?.seed ? seeds.includes(seen.seed) : null,
  };
  return CHECKS.map((check) => ({ check, holds: holds[check] }));
}

// --- what this browser remembers, for as long as its storage lasts

const keyOf = (table: string, shoe: number): string => `puntobanco.shoe.${table}.${shoe}`;

export function remembered(table: string, shoe: number): Seen | null {
  try {
    const found = JSON.parse(localStorage.getItem(keyOf(table, shoe)) ?? "null") as Partial<Seen> | null;
    return found && typeof found.commitment === "string" ? { commitment: found.commitment, seed: String(found.seed ?? "") } : null;
  } catch {
    return null;
  }
}

/** What was seen first stays: a commitment that is changed later shall be noticed. */
export function remember(table: string, shoe: number, seen: Seen): void {
  const before = remembered(table, shoe);
  const kept = { commitment: before?.commitment ?? seen.commitment, seed: before?.seed || seen.seed };
  try {
    localStorage.setItem(keyOf(table, shoe), JSON.stringify(kept));
  } catch {
    // a browser that keeps nothing can still check the receipt alone
  }
}
