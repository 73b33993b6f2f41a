/** How a round ended, in words. */

import { t } from "./i18n.svelte";
import type { RoundSeen } from "./types";

/** What to say of a round, and in which colour. */
export function resultOf(round: RoundSeen | null): { words: string; tone: "player" | "banker" | "tie" | "" } {
  if (!round) return { words: "", tone: "" };
  if (round.voided) return { words: t("result.void"), tone: "" };
  if (round.result) return { words: t(`result.${round.result}`), tone: round.result };
  return { words: t("shoe.round", { number: round.number }), tone: "" };
}
