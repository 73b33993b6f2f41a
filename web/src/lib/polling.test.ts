import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { poll } from "./polling";

const tab = Object.assign(new EventTarget(), { hidden: false });

function show(shown: boolean): void {
  tab.hidden = !shown;
  tab.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", tab);
  tab.hidden = false;
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("it is asked at once and then every so often, until it ends", () => {
  const call = vi.fn();
  const end = poll(call, 4_000);
  expect(call).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(12_000);
  expect(call).toHaveBeenCalledTimes(4);
  end();
  vi.advanceTimersByTime(12_000);
  show(true);
  expect(call).toHaveBeenCalledTimes(4);
});

test("nothing is asked while the tab is hidden, and at once when it is shown again", () => {
  const call = vi.fn();
  const end = poll(call, 4_000);
  vi.advanceTimersByTime(3_000);
  show(false);
  vi.advanceTimersByTime(60_000);
  expect(call).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
  show(true);
  expect(call).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(3_999);
  expect(call).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1);
  expect(call).toHaveBeenCalledTimes(3);
  end();
});

test("a tab that was opened in the background asks when it is first looked at", () => {
  tab.hidden = true;
  const call = vi.fn();
  const end = poll(call, 4_000);
  vi.advanceTimersByTime(9_000);
  expect(call).not.toHaveBeenCalled();
  show(true);
  expect(call).toHaveBeenCalledTimes(1);
  end();
});
