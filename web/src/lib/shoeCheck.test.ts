import { expect, test } from "vitest";

import { checkReceipt, mixed, pledgeOf, readReceipt, ReceiptError, type Receipt } from "./shoeCheck";

const DECK = [..."A23456789TJQK"].flatMap((rank) => [..."shdc"].map((suit) => rank + suit));
const [ONE, TWO, THREE] = ["11".repeat(32), "22".repeat(32), "33".repeat(32)] as const;

async function sha256(bytes: number[]): Promise<string> {
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes)));
  return [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function receipt(): Promise<Receipt> {
  const order = DECK.join("");
  const zeros = new Array<number>(64).fill(0);
  const commitment = await sha256([...zeros, ...new TextEncoder().encode(order)]);
  const pledges = [{ pledge: await pledgeOf(commitment, TWO), seed: TWO }, { pledge: THREE, seed: "" }];
  const dealt = await mixed(DECK, commitment, [TWO]);
  return { table: "T1", shoe: 1, book: "0".repeat(64), commitment, salt: "0".repeat(64), order, pledges, cuts: [10], cards: [null, dealt[11] as string] };
}

test("the example of docs/shoes.md", async () => {
  expect((await mixed(DECK, ONE, [TWO, THREE])).join("")).toBe(
    "8dJs6h5hAhJcTs8cJd7h7s5dQcQhJh6d2c8sKh6s4cTd9sAdTh9c8hAcQdQs2s9dKs9hKdAs6c3s4sTc7c2d7dKc3c3d5c5s3h4d2h4h",
  );
  expect(await mixed(DECK, ONE, [])).toEqual(DECK);
});

test("a receipt holds, and each lie in it is seen", async () => {
  const good = await receipt();
  const failing = async (changes: Partial<Receipt>): Promise<string[]> =>
    (await checkReceipt({ ...good, ...changes }, null)).filter(({ holds }) => holds === false).map(({ check }) => check);
  expect(await failing({})).toEqual([]);
  expect(await failing({ salt: ONE })).toEqual(["commitment"]);
  expect(await failing({ order: DECK.slice(1).join("") + "Ah" })).toContain("whole");
  expect(await failing({ cards: [null, good.cards[1] === "As" ? "Kc" : "As"] })).toEqual(["cards"]);
  expect(await failing({ cuts: [] })).toEqual(["cards"]);
  expect(await failing({ cuts: [52] })).toContain("cards");
  expect(await failing({ pledges: [{ pledge: ONE, seed: TWO }] })).toEqual(["pledges"]);
  expect(await failing({ pledges: [] })).toEqual(["cards"]);
});

test("what this browser saw is held against it", async () => {
  const good = await receipt();
  const own = async (commitment: string, seed: string): Promise<(boolean | null)[]> =>
    (await checkReceipt(good, { commitment, seed })).slice(-2).map(({ holds }) => holds);
  expect(await own(good.commitment, TWO)).toEqual([true, true]);
  expect(await own(ONE, THREE)).toEqual([false, false]);
  expect(await own(good.commitment, "")).toEqual([true, null]);
});

test("no other text is a receipt", async () => {
  const good = await receipt();
  expect(readReceipt(JSON.stringify({ receipt: good }))).toEqual(good);
  for (const text of ["", "null", "{}", JSON.stringify(good), JSON.stringify({ receipt: { ...good, salt: good.salt.toUpperCase().replaceAll("0", "A") } })]) {
    expect(() => readReceipt(text)).toThrow(ReceiptError);
  }
  for (const changes of [{ cards: ["1x"] }, { cuts: ["1"] }, { pledges: null }, { pledges: [{ pledge: ONE, seed: "x" }] }]) {
    expect(() => readReceipt(JSON.stringify({ receipt: { ...good, ...changes } }))).toThrow(ReceiptError);
  }
});
