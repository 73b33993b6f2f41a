/** What may be done, as it comes with the view: actions found, their asks answered, and the command made of it. */

import type { Action, AnyCommand, Ask, Card, Problem, View } from "./types";

export type CommandName = AnyCommand["do"];
export type Answer = string | number | boolean | null | number[] | string[] | (Card | null)[] | Record<string, number>;
export type Answers = Record<string, Answer>;
/** What an action must have fixed or ask for, by field; undefined means that the field is there with any value. */
export type Wanted = Record<string, Answer | undefined>;

/** All actions of a kind, allowed or not, that fit what is wanted. */
export function findActions(view: View, kind: CommandName, wanted: Wanted = {}): Action[] {
  return view.actions.filter((action) => action.do === kind && Object.entries(wanted).every(([field, value]) => has(action, field, value)));
}

/** The first of them, allowed ones before refused ones, which say why. */
export function findAction(view: View, kind: CommandName, wanted: Wanted = {}): Action | undefined {
  const found = findActions(view, kind, wanted);
  return found.find((action) => action.allowed) ?? found[0];
}

/** The action that the next step is, where it is this viewer's. */
export function nextAction(view: View): Action | undefined {
  const step = view.next_step;
  if (!step?.yours) return undefined;
  const about = { number: step.number, box: step.box, incident: step.incident, proposal: step.proposal };
  return view.actions.find(
    (action) =>
      action.allowed &&
      action.do === step.do &&
      Object.entries(about).every(([name, value]) => !value || (action.fixed?.[name] ?? value) === value),
  );
}

export function askOf(action: Action, field: string): Ask | undefined {
  return action.asks?.find((ask) => ask.field === field);
}

function has(action: Action, field: string, value: Answer | undefined): boolean {
  const fixed = action.fixed?.[field];
  if (fixed !== undefined) return value === undefined || same(fixed, value);
  const ask = askOf(action, field);
  if (ask === undefined) return false;
  return value === undefined || accepts(ask, value);
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether the answer is within what the ask leaves open. The server still has the last word. */
export function accepts(ask: Ask, value: Answer): boolean {
  const between = (count: number): boolean => count >= (ask.least ?? -Infinity) && count <= (ask.most ?? Infinity);
  switch (ask.kind) {
    case "amount":
      return typeof value === "number" && Number.isInteger(value) && between(value) && value !== ask.but &&
        (value - (ask.least ?? 0)) % (ask.step ?? 1) === 0;
    case "choice":
      return (ask.choices ?? []).some((choice) => same(choice, value));
    case "some":
      return Array.isArray(value) && between(value.length) && new Set<unknown>(value).size === value.length &&
        value.every((each) => (ask.choices ?? []).some((choice) => same(choice, each)));
    case "text":
    case "name":
      return typeof value === "string" && (value !== "" || ask.optional === true) && !(ask.choices ?? []).includes(value);
    case "card":
      return (typeof value === "string" && value !== ask.but) || (value === null && ask.unseen === true);
    case "cards":
      return Array.isArray(value) && (value.length === wantedCards(ask, value) || (wantedCards(ask, value) === null && between(value.length))) &&
        (ask.unseen === true || !value.some((card) => card === null));
    case "chips":
      return typeof value === "object" && value !== null && !Array.isArray(value);
  }
}

/** How many cards an ask wants where the rank of the first one decides; null where it does not. */
export function wantedCards(ask: Ask, cards: readonly unknown[]): number | null {
  const first = cards[0];
  return typeof first === "string" ? (ask.counts?.[first.charAt(0)] ?? null) : null;
}

/** The asks that have no fitting answer yet. */
export function missing(action: Action, answers: Answers): Ask[] {
  return (action.asks ?? []).filter((ask) => {
    const answer = answers[ask.field];
    return answer === undefined ? ask.optional !== true : !accepts(ask, answer);
  });
}

/** The command that an action comes to with these answers; a field with dots is a part of another. */
export function fill(action: Action, answers: Answers = {}): AnyCommand {
  const whole: Record<string, unknown> = { do: action.do };
  for (const [field, value] of Object.entries({ ...action.fixed, ...answers })) {
    const path = field.split(".");
    const name = path.pop() as string;
    let at = whole;
    for (const part of path) at = (at[part] ??= {}) as Record<string, unknown>;
    at[name] = value;
  }
  return whole as unknown as AnyCommand;
}

export function problemOfAction({ code = "", detail = "", values = {}, paragraph = "", fits = null }: Action): Problem {
  return { code, message: code, detail, values, paragraph, fits };
}
