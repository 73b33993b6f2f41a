import { expect, test } from "vitest";

import { CATALOGUE } from "../lib/catalogue";
import { TOURS, placeCard, readSeen, tourOf, type TourName } from "./tours";

test("every tour is short, and every step of it has words", () => {
  const words = new Set<string>();
  for (const [name, { steps }] of Object.entries(TOURS)) {
    expect(steps.length, name).toBeGreaterThanOrEqual(4);
    // Whoever has no seat yet has no bets and no chips, whoever has one is not shown where to sit.
    expect(name === "player" ? steps.length - 1 : steps.length, name).toBeLessThanOrEqual(6);
    expect(new Set(steps.map((step) => step.key)).size).toBe(steps.length);
    for (const { key } of steps) words.add(key === "again" ? "tour.again" : `tour.${name}.${key}`);
  }
  const said = Object.keys(CATALOGUE).filter((key) => key === "tour.again" || /^tour\.\w+\.\w+$/.test(key));
  expect(said.sort()).toEqual([...words].sort());
});

test("each role has the tour of its screen, the display none", () => {
  const found = (path: Parameters<typeof tourOf>[0], role: Parameters<typeof tourOf>[1]): TourName | null => tourOf(path, role);
  expect(found({ screen: "lobby" }, "player")).toBe("lobby");
  expect(found({ screen: "table", table: "T" }, "player")).toBe("player");
  expect(found({ screen: "dealer", table: "T" }, "dealer")).toBe("dealer");
  expect(found({ screen: "pit" }, "pit")).toBe("pit");
  expect(found({ screen: "surveillance" }, "surveillance")).toBe("surveillance");
  for (const role of ["player", "dealer", "pit", "surveillance", "admin"] as const) {
    expect(found({ screen: "display", table: "T" }, role)).toBeNull();
    expect(found({ screen: "signin" }, role)).toBeNull();
  }
  expect(found({ screen: "pit" }, "player")).toBeNull();
  expect(found({ screen: "table", table: "T" }, undefined)).toBeNull();
});

test("what the browser has stored is read with care", () => {
  expect(readSeen(null)).toEqual([]);
  expect(readSeen('["dealer","lobby"]')).toEqual(["dealer", "lobby"]);
  expect(readSeen('["dealer","constructor",7]')).toEqual(["dealer"]);
  for (const wrong of ["", "{", "7", '{"dealer":1}']) expect(readSeen(wrong)).toEqual([]);
});

test("the card stays in the window and off what it is about, wherever that is", () => {
  for (const window of [{ width: 390, height: 844 }, { width: 1360, height: 850 }]) {
    const card = { width: Math.min(384, window.width - 24), height: 170 };
    for (let left = -100; left < window.width; left += 70) {
      for (let top = -200; top < window.height; top += 70) {
        for (const [width, height] of [[60, 40], [300, 200], [window.width, 420], [window.width, 2 * window.height]] as const) {
          const place = placeCard({ left, top, width, height }, card, window);
          expect(place.left).toBeGreaterThanOrEqual(12);
          expect(place.top).toBeGreaterThanOrEqual(12);
          expect(place.left + card.width).toBeLessThanOrEqual(window.width - 12);
          expect(place.top + card.height).toBeLessThanOrEqual(window.height - 12);
          const clear = place.left >= left + width || place.left + card.width <= left || place.top >= top + height || place.top + card.height <= top;
          if (height < 300) expect(clear, `${left} ${top} ${width} ${height}`).toBe(true);
        }
      }
    }
  }
});
