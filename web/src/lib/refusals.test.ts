import "../testing/page";

import { render } from "svelte/server";
import { expect, test } from "vitest";

import Refusal from "../components/Refusal.svelte";
import { fixture } from "../testing/fixtures";
import { LANGUAGES } from "./catalogue";
import { speech } from "./i18n.svelte";
import { stepWords } from "./stepWords";
import type { NextStep, View } from "./types";
import { say } from "./words";

const view = fixture<View>("tiger-buffalo-betting-player");
const { sign } = view.public;

test("a refusal is said in the viewer's language, with the limit and what fits, and in the server's words beside it", () => {
  const minimum = String((sign.bets.find((bet) => bet.code === "player")?.minimum ?? 0) / 100);
  for (const language of LANGUAGES) {
    speech.language = language;
    const problem = { code: "below_minimum", message: "less than box 4 may have", paragraph: "3.4", fits: 7_500 };
    const { body } = render(Refusal, { props: { problem, sign, bet: "player" } });
    expect(body).toContain(`<strong>${say(language, "refusal.below_minimum")}</strong>`);
    expect(body).toContain(`${say(language, "sign.minimum")}: ${minimum}`);
    expect(body).toContain(say(language, "betting.fits", { amount: "75" }));
    expect(body).toMatch(/lang="en"[^>]*>less than box 5 may have</);
  }
  speech.language = "en";
});

test("a step is said in the viewer's language, a new one in the server's words", () => {
  const at = (step: Partial<NextStep>): string => stepWords({ ...view, next_step: { do: "", who: "dealer", message: "", ...step } });
  speech.language = "vi";
  expect(at({ do: "confirm", box: 4 })).toBe("Thu và trả ô 5");
  expect(at({ do: "report_cards", message: "report" })).toBe(say("vi", "do.report_cards"));
  expect(at({ do: "brand_new", message: "look at box 4" })).toBe("look at box 5");
  speech.language = "en";
});
