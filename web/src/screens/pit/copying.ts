/** A form that is filled in from another table while somebody may already type in it. */

/**
 * What was copied, with what has been changed in the form since it was asked for. Fields that only make sense
 * `together` are kept together.
 */
export function keepTyped<T extends object>(before: T, now: T, copied: Partial<T>, together: readonly (keyof T)[] = []): T {
  const typed = (Object.keys(now) as (keyof T)[]).filter((field) => now[field] !== before[field]);
  const kept = new Set(typed.some((field) => together.includes(field)) ? [...typed, ...together] : typed);
  const fields = (Object.keys({ ...now, ...copied }) as (keyof T)[]).map((field) => [field, kept.has(field) || !(field in copied) ? now[field] : copied[field]]);
  return Object.fromEntries(fields) as T;
}
