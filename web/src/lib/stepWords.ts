/** The next step in the language of the page. */

import { maybe, speech, t } from "./i18n.svelte";
import type { View } from "./types";
import { isKey, sentence } from "./words";

export function stepWords(view: View): string {
  const step = view.next_step;
  if (!step) return t("step.nothing");
  const nth = nthOfHand(view);
  const key = nth ? `step.${step.do}.${nth}` : `step.${step.detail || step.do}`;
  if (!isKey(key)) return maybe(`do.${step.do}`, step.do.replaceAll("_", " "));
  return sentence(speech.language, key, {
    number: step.number ?? 0,
    box: step.box ?? 0,
    hand: step.hand ? t(`hand.${step.hand}`) : "",
    people: (step.people ?? []).join(", "),
    family: step.family ? maybe(`family.${step.family}`, step.family) : "",
  });
}

/** Which card of its hand the step is about, where that is plain; dealers count by hands and not by the shoe. */
function nthOfHand({ next_step: step, public: { round } }: View): number | null {
  if (!step?.hand || (step.do !== "draw" && step.do !== "turn") || (step.detail && step.detail !== step.do)) return null;
  const cards = (round?.cards ?? []).filter((card) => card.hand === step.hand);
  const nth = step.do === "draw" ? cards.length + 1 : cards.findIndex((card) => card.number === step.number) + 1;
  return nth >= 1 && nth <= 3 ? nth : null;
}

/** Whom a step that is not this viewer's waits for. */
export function waitWords(view: View): string {
  const step = view.next_step;
  if (!step || (step.yours && step.who !== "player")) return "";
  if (step.who === "house") return t("step.house");
  return t("step.waits_for", { who: step.people?.length ? step.people.join(", ") : maybe(`rank.${step.who}`, step.who) });
}
