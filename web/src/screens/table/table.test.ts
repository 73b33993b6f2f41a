import { expect, test } from "vitest";

import { fill } from "../../lib/actions";
import type { LineSeen, Payment, View, WagerSeen } from "../../lib/types";
import { VIEWS, chance } from "../../testing/fixtures";
import { betsOf, offerFor, openBoxes, placeAction, refusedBets, spotOf, stakesWith, withSent } from "./betting";
import { HEIGHT, WIDTH, foldOf, gripAt, heldAt, isTurned, type Point } from "../../lib/fold";
import { distinct } from "./past";

const players = VIEWS.filter(([, view]) => view.own !== null);
const betting = players.filter(([, view]) => view.public.phase === "betting");

test("every bet of every box that is open has an action, and makes a command that names box and bet", () => {
  expect(betting.length).toBeGreaterThan(0);
  for (const [name, view] of betting) {
    expect(openBoxes(view), name).toContain(view.own?.box);
    for (const box of openBoxes(view)) {
      for (const { code } of view.public.sign.bets) {
        const action = placeAction(view, box, code);
        expect(action, `${name} ${box} ${code}`).toBeDefined();
        if (action?.allowed) {
          expect(fill(action, { box, [`wagers.${code}`]: 500 })).toEqual({ do: "place", person: view.own?.person, box, wagers: { [code]: 500 } });
        } else {
          expect(refusedBets(view, box)[code]?.code, `${name} ${code}`).toBeTruthy();
        }
      }
    }
  }
});

test("a bet is open or says why it is not", () => {
  for (const [name, view] of players) {
    const box = view.own?.box ?? 1;
    const refused = refusedBets(view, box);
    for (const { code } of view.public.sign.bets) {
      const action = placeAction(view, box, code);
      expect(action === undefined || action.allowed === !(code in refused), name).toBe(true);
    }
  }
});

test("a refusal offers what the table says would fit, else the nearest amount of the view, and nothing that is no help", () => {
  const action = { do: "place", allowed: true, asks: [{ field: "wagers.tie", kind: "amount", least: 500, most: 25_000 }] } as View["actions"][number];
  const problem = (fits: number | null) => ({ code: "x", message: "", fits });
  expect(offerFor(problem(2_000), action, "tie", 500)).toBe(2_000);
  expect(offerFor(problem(null), action, "tie", 100)).toBe(500);
  expect(offerFor(problem(null), action, "tie", 30_000)).toBe(25_000);
  expect(offerFor(problem(null), action, "tie", 1_000)).toBeNull();
  expect(offerFor(problem(0), action, "tie", 1_000)).toBeNull();
  expect(offerFor(problem(1_000), action, "tie", 1_000)).toBeNull();
});

/** Taps, confirmations and views in any order; the table itself is kept beside as a plain sum. */
test("chips on their way are counted once, whether the view or the confirmation comes first", () => {
  const random = chance(7);
  const wager = (bet: string, stake: number): WagerSeen => ({ person: "a", box: 2, bet, stake, seated: true });
  for (let run = 0; run < 200; run++) {
    let confirmed = 0, told = 0;
    const sent: { target: number; amount: number }[] = [];
    for (let step = 0; step < 12; step++) {
      const own = withSent(told ? [wager("tie", told)] : [], sent.map((chips) => ({ box: 2, bet: "tie", version: null, ...chips })));
      const shown = own[0]?.amount ?? 0;
      const all = confirmed + sent.slice(confirmed / 500).length * 500;
      expect(shown).toBeLessThanOrEqual(all);
      expect(shown).toBeGreaterThanOrEqual(told);
      const stakes = stakesWith(told ? [{ box: 2, bet: "tie", amount: told + 300 }] : [{ box: 2, bet: "tie", amount: 300 }], told ? [wager("tie", told)] : [], own);
      expect(stakes).toEqual([{ box: 2, bet: "tie", amount: shown + 300 }]);
      const dice = random();
      if (dice < 0.4) sent.push({ target: shown + 500, amount: 500 });
      else if (dice < 0.7 && confirmed / 500 < sent.length) confirmed += 500;
      else told = confirmed;
    }
  }
});

test("others' chips stay as they are, and chips for an empty place appear there", () => {
  const stakes = [{ box: 1, bet: "banker", amount: 700 }];
  const own = withSent([], [{ box: 2, bet: "banker", amount: 500, target: 500, version: null }]);
  expect(stakesWith(stakes, [], own)).toEqual([...stakes, { box: 2, bet: "banker", amount: 500 }]);
  expect(spotOf(2, "banker")).toBe("2-banker");
});

test("a round's bets can be made again, its insurance cannot", () => {
  const line = (bet: string, insurance: boolean): LineSeen =>
    ({ person: "a", box: 2, bet, stake: 2_500, result: "lost", profit: -2_500, commission: 0, insurance, paragraph: "4" }) as LineSeen;
  const payment = { round: 1, lines: [line("banker", false), line("banker_insurance", true)] } as unknown as Payment;
  expect(betsOf([payment])).toEqual([{ box: 2, bet: "banker", amount: 2_500 }]);
});

const area = (polygon: readonly Point[]): number =>
  Math.abs(polygon.reduce((sum, { x, y }, index) => {
    const next = polygon[(index + 1) % polygon.length] ?? { x, y };
    return sum + x * next.y - next.x * y;
  }, 0)) / 2;

test("a fold loses nothing of the card, takes the corner where the finger is, and shows the face unmirrored", () => {
  const random = chance(3);
  const [width, height] = [250, 350];
  for (let run = 0; run < 500; run++) {
    const corner = { x: random() < 0.5 ? 0 : width, y: random() < 0.5 ? 0 : height };
    const to = { x: random() * width, y: random() * height };
    const { back, flap, matrix: [a, b, c, d, e, f], part } = foldOf(width, height, corner, to);
    expect(area(back) + area(flap)).toBeCloseTo(width * height, 4);
    expect(part).toBeGreaterThanOrEqual(0);
    expect(part).toBeLessThanOrEqual(1);
    if (flap.length === 0) continue;
    // The face has its corner at the other side: it lay upside down.
    const face = { x: width - corner.x, y: corner.y };
    expect(a * face.x + c * face.y + e).toBeCloseTo(to.x, 6);
    expect(b * face.x + d * face.y + f).toBeCloseTo(to.y, 6);
    expect(a * d - b * c).toBeCloseTo(1, 9);
  }
});

test("a replay has a step for whatever can be seen to change", () => {
  const view = players[0]?.[1] as View;
  const later = { ...view, version: view.version + 1, now: view.now + 1 };
  const turned = { ...later, public: { ...later.public, phase: "paying" as const } };
  expect(distinct([view, later, turned, { ...turned, version: 99 }])).toEqual([view, turned]);
});

test("a card is taken by a corner or straight up by an edge, the long one first", () => {
  expect(gripAt({ x: 5, y: 5 })).toEqual({ point: { x: 0, y: 0 }, way: "free" });
  const long = gripAt({ x: 30, y: 170 }), short = gripAt({ x: 120, y: 330 });
  expect(long).toEqual({ point: { x: 0, y: 170 }, way: "x" });
  expect(short).toEqual({ point: { x: 120, y: HEIGHT }, way: "y" });
  expect(heldAt(long, { x: 80, y: 10 })).toEqual({ x: 80, y: 170 });
  expect(isTurned(long, { x: 20, y: 170 })).toBe(false);
  expect(isTurned(long, { x: 80, y: 170 })).toBe(true);
  const { back, flap } = foldOf(WIDTH, HEIGHT, long.point, { x: 80, y: 170 });
  expect(area(back)).toBeCloseTo((WIDTH - 40) * HEIGHT, 6);
  expect(area(flap)).toBeCloseTo(40 * HEIGHT, 6);
});
