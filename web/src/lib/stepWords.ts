/** The next step in the language of the page. */

import { maybe, speech, t } from "./i18n.svelte";
import type { View } from "./types";
import { isKey, sentence } from "./words";

export function stepWords(view: View): string {
  const step = view.next_step;
  if (!step) return t("step.nothing");
  const key = `step.${step.detail || step.do}`;
  if (!isKey(key)) return maybe(`do.${step.do}`, step.do.replaceAll("_", " "));
  return sentence(speech.language, key, {
    number: step.number ?? 0,
    box: step.box ?? 0,
    hand: step.hand ? t(`hand.${step.hand}`) : "",
    people: (step.people ?? []).join(", "),
    family: step.family ? maybe(`family.${step.family}`, step.family) : "",
  });
}

/** Whom a step that is not this viewer's waits for. */
export function waitWords(view: View): string {
  const step = view.next_step;
  if (!step || (step.yours && step.who !== "player")) return "";
  if (step.who === "house") return t("step.house");
  return t("step.waits_for", { who: step.people?.length ? step.people.join(", ") : maybe(`rank.${step.who}`, step.who) });
}
