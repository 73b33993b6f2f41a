/**
 * Puts into a view what has changed in it (docs/views.md). Parts that stay are the same objects as before, so that
 * whatever shows them need not look at them again; the view before stays as it is.
 */

import type { Changed, View } from "./types";

type Node = Record<string, unknown>;

export function applied(view: View, changed: Changed): View {
  const before = view as unknown as Node, whole: Node = { ...before };
  for (const [path, value] of Object.entries(changed.parts)) put(whole, before, path, value);
  for (const [path, items] of Object.entries(changed.lists)) put(whole, before, path, list(at(before, path) as unknown[], items));
  return { ...(whole as unknown as View), version: changed.version, now: changed.now };
}

/** Runs of the list before, as `[from, count]`, and new items. */
function list(before: unknown[], items: unknown[]): unknown[] {
  return items.flatMap((item) => {
    if (!Array.isArray(item)) return [item];
    const [from, count] = item as [number, number];
    return before.slice(from, from + count);
  });
}

function at(whole: Node, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (value as Node)[name], whole);
}

/** Only what leads there is copied, once. */
function put(whole: Node, base: Node, path: string, value: unknown): void {
  const way = path.split("."), name = way.pop() ?? "";
  let there = whole, before = base;
  for (const step of way) {
    before = before[step] as Node;
    if (there[step] === before) there[step] = { ...before };
    there = there[step] as Node;
  }
  there[name] = value;
}
