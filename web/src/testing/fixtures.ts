/** Views of real tables, written by scripts/tools/page_fixtures.py. */

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { View } from "../lib/types";

const FOLDER = fileURLToPath(new URL("../../fixtures/", import.meta.url));

export function fixture<T>(name: string): T {
  return JSON.parse(readFileSync(`${FOLDER}${name}.json`, "utf-8")) as T;
}

/** Every view, by the name of its file. */
export const VIEWS: [string, View][] = readdirSync(FOLDER)
  .filter((file) => /-(display|player|dealer|pit)\.json$/.test(file))
  .map((file) => [file.replace(".json", ""), fixture<View>(file.replace(".json", ""))]);

/** Numbers that a seed decides, from 0 up to 1. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
