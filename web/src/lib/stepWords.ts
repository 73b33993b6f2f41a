/** The next step in the language of the page. */

import { printedText } from "./boxes";
import { maybe, t } from "./i18n.svelte";
import type { View } from "./types";

export function stepWords(view: View): string {
  const step = view.next_step;
  if (!step) return t("step.nothing");
  const incident = view.matters?.incidents.find((each) => each.number === step.incident);
  const person = step.people?.[0] ?? "";
  const values = {
    number: step.number ?? 0,
    box: step.box ?? 0,
    hand: step.hand ? t(`hand.${step.hand}`) : "",
    person,
    family: incident ? maybe(`family.${incident.family}`, incident.family) : "",
  };
  if (step.do === "turn" && step.who === "player") return t("step.squeezed", values);
  return maybe(`step.${step.do}`, maybe(`do.${step.do}`, printedText(view.public.sign, step.message)), values);
}

/** Whom a step that is not this viewer's waits for. */
export function waitWords(view: View): string {
  const step = view.next_step;
  if (!step || (step.yours && step.who !== "player")) return "";
  if (step.who === "house") return t("step.house");
  return t("step.waits_for", { who: step.people?.length ? step.people.join(", ") : maybe(`rank.${step.who}`, step.who) });
}
