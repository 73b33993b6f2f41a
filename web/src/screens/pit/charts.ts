/** What the charts of a day draw: points on a scale, and lengths of time. */

import type { DayCourse } from "../../lib/types";

type Point = DayCourse["points"][number];

export interface Scaled {
  win: string;
  expected: string;
  band: string;
  /** Where nothing is won and nothing lost. */
  zero: number;
  low: number;
  high: number;
}

/** The course as paths within width and height, from the start of the day at nothing. */
export function scaled(points: readonly Point[], width: number, height: number): Scaled {
  const all = [0, ...points.flatMap(({ win, low, high }) => [win, low, high])];
  const low = Math.min(...all), high = Math.max(...all, low + 1);
  const x = (index: number): number => (index / Math.max(1, points.length)) * width;
  const y = (value: number): number => height - ((value - low) / (high - low)) * height;
  const at = (index: number, value: number): string => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
  const line = (value: (point: Point) => number): string => [at(0, 0), ...points.map((point, index) => at(index + 1, value(point)))].join("L");
  const back = [...points.map((point, index) => at(index + 1, point.low)).reverse(), at(0, 0)].join("L");
  return { win: `M${line((point) => point.win)}`, expected: `M${line((point) => point.expected)}`, band: `M${line((point) => point.high)}L${back}Z`, zero: y(0), low, high };
}

/** A length of time as a clock has it: minutes and seconds, with hours where there are some. */
export function lengthOf(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number): string => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
