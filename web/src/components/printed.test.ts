import "../testing/page";

import { render } from "svelte/server";
import { expect, test } from "vitest";

import { LANGUAGES } from "../lib/catalogue";
import { speech } from "../lib/i18n.svelte";
import { drawingOf, textWidth } from "../lib/layout";
import { fixture } from "../testing/fixtures";
import type { Sign } from "../lib/types";
import PrintedPays from "./PrintedPays.svelte";

test("the heads of a pay table's columns stand apart in every language", () => {
  const insured = fixture<Sign[]>("signs").flatMap((sign) => drawingOf(sign).tables.filter((table) => table.parts[0]?.window).map((table) => ({ sign, table })));
  expect(insured.length).toBeGreaterThan(0);
  for (const language of LANGUAGES) {
    speech.language = language;
    for (const { sign, table } of insured) {
      const { body } = render(PrintedPays, { props: { sign, table } });
      const heads = [...body.matchAll(/<text class="columns[^"]*" x="([\d.]+)"[^>]*text-anchor="(\w+)" font-size="([\d.]+)">([^<]*)</g)].map(([, x, anchor, size, words = ""]) => {
        const width = textWidth(words) * Number(size);
        const left = Number(x) - { start: 0, middle: width / 2, end: width }[anchor as "start"];
        return [left, left + width] as const;
      });
      expect(heads).toHaveLength(3);
      expect(heads[0]?.[0]).toBeGreaterThanOrEqual(0);
      for (const [index, head] of heads.slice(1).entries()) expect(head[0], `${language} ${table.bet}`).toBeGreaterThan(heads[index]?.[1] ?? 0);
    }
  }
  speech.language = "en";
});
