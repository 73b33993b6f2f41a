import "../testing/page";

import { render } from "svelte/server";
import { expect, test } from "vitest";

import { fixture } from "../testing/fixtures";
import type { CardPlaces, View } from "../lib/types";
import Replay from "../screens/table/Replay.svelte";
import Hands from "./Hands.svelte";

const view = fixture<View>("tiger-buffalo-settled-display");
const round = view.public.last ?? view.public.round;
const order = (html: string): string[] => [...html.matchAll(/data-hand="(\w+)"/g)].map((match) => match[1] ?? "");

test("hands lie as the cloth has them: Player's to the left of Banker's, or Banker's above Player's", () => {
  const drawn = (places: CardPlaces): string => render(Hands, { props: { round, places } }).body;
  expect(round?.cards.length).toBeGreaterThan(3);
  expect(order(drawn("beside"))).toEqual(["player", "banker"]);
  expect(order(drawn("stacked"))).toEqual(["banker", "player"]);
  expect(drawn("stacked")).toMatch(/class="hands stacked/);
});

test("a replay has the hands as they lay", () => {
  for (const [places, first] of [["beside", "player"], ["stacked", "banker"]] as const) {
    const seen = structuredClone(view);
    seen.public.sign.geometry.cards = places;
    const { body } = render(Replay, { props: { views: [seen], number: round?.number ?? 0, onclose: () => undefined } });
    expect(order(body)[0]).toBe(first);
  }
});
