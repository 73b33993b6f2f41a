import { expect, test } from "vitest";

import { fixture } from "../testing/fixtures";
import { mainLimits, stakes, titleParts, wanted } from "./lobby";
import { homeOf } from "./roles";
import { routeOf } from "./route";
import type { Brief } from "./types";

const tables = fixture<Brief[]>("tables");

test("addresses stand for screens", () => {
  expect(routeOf("/")).toEqual({ screen: "lobby" });
  expect(routeOf("/table/T%201")).toEqual({ screen: "table", table: "T 1" });
  expect(routeOf("/display/T1/")).toEqual({ screen: "display", table: "T1" });
  expect(routeOf("/dealer")).toEqual({ screen: "dealer", table: "" });
  expect(routeOf("/display")).toEqual({ screen: "nothing" });
  expect(routeOf("/shoe/T%201/12")).toEqual({ screen: "shoe", table: "T 1", shoe: 12 });
  for (const path of ["/shoe", "/shoe/T1", "/shoe/T1/0", "/shoe/T1/x"]) expect(routeOf(path)).toEqual({ screen: "nothing" });
  expect(routeOf("/tables/T%201/T2/T2")).toEqual({ screen: "several", tables: ["T 1", "T2"] });
  for (const path of ["/tables", "/tables/1/2/3/4/5"]) expect(routeOf(path)).toEqual({ screen: "nothing" });
  expect(routeOf("/pit")).toEqual({ screen: "pit" });
  expect(routeOf("/no/such")).toEqual({ screen: "nothing" });
  expect(routeOf("/table/%E0%A4%A")).toEqual({ screen: "table", table: "%E0%A4%A" });
});

test("each role has a first screen", () => {
  expect((["player", "dealer", "pit", "surveillance", "admin"] as const).map(homeOf)).toEqual(["/", "/dealer", "/pit", "/surveillance", "/pit"]);
});

test("the lobby shows what fits: game, amount within the limits of the hands, free seats", () => {
  const all = { game: "", stake: "", freeOnly: false };
  expect(tables.filter((table) => wanted(table, all))).toEqual(tables);
  for (const table of tables) {
    const { minimum, maximum } = mainLimits(table);
    expect(wanted(table, { ...all, game: table.game })).toBe(true);
    expect(wanted(table, { ...all, game: "other" })).toBe(false);
    expect(wanted(table, { ...all, stake: `${table.currency} ${minimum}` })).toBe(true);
    expect(wanted(table, { ...all, stake: `${table.currency} ${minimum - 1}` })).toBe(false);
    expect(wanted(table, { ...all, stake: `${table.currency} ${(maximum ?? 0) + 1}` })).toBe(false);
    expect(wanted(table, { ...all, stake: `XXX ${minimum}` })).toBe(false);
    expect(wanted(table, { ...all, freeOnly: true })).toBe(table.free.length > 0);
  }
  const first = tables[0] as Brief;
  const priced = (currency: string, minimum: number): Brief => ({ ...first, currency, bets: first.bets.slice(0, 1).map((bet) => ({ ...bet, minimum })) });
  const keys = stakes([priced("SGD", 500), priced("HKD", 500), priced("SGD", 100), priced("HKD", 500)]).map(({ key }) => key);
  expect(keys).toEqual(["HKD 500", "SGD 100", "SGD 500"]);
});

test("a title has a name, and what stands in brackets after it", () => {
  expect(titleParts("RWS Baccarat (Non-Commission)")).toEqual({ name: "RWS Baccarat", kind: "Non-Commission" });
  expect(titleParts("Commission Baccarat with Super Six")).toEqual({ name: "Commission Baccarat with Super Six", kind: "" });
  expect(titleParts("(new)")).toEqual({ name: "(new)", kind: "" });
});
