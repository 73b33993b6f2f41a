/** Requests of the HTTP interface. */

import { underWay } from "./rest";
import type { Account, Brief, Give, GiveFor, Given, OwnChange, OwnSeen, Part, Problem, SignedIn, View } from "./types";

/** A request that was not granted, or that found no server. */
export class Trouble extends Error {
  constructor(
    readonly problem: Problem,
    readonly status: number,
  ) {
    super(problem.message);
  }

  static network(): Trouble {
    return new Trouble({ code: "network", message: "no connection to the server" }, 0);
  }
}

/** The token of the session, for requests that change something. */
let csrf = "";
export function useToken(token: string): void {
  csrf = token;
}

/** Called when the server says that nobody is signed in. */
let onSignedOut: () => void = () => undefined;
export function whenSignedOut(call: () => void): void {
  onSignedOut = call;
}

export async function request<T>(method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET" && csrf) headers["X-CSRF-Token"] = csrf;
  let answer: Response;
  try {
    answer = await underWay(
      fetch(path, {
        method,
        headers,
        credentials: "same-origin",
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  } catch {
    throw Trouble.network();
  }
  const text = await underWay(answer.text());
  if (answer.ok) return (text ? JSON.parse(text) : undefined) as T;
  if (answer.status === 401 && path !== "/api/session") onSignedOut();
  throw new Trouble(readProblem(text, answer.status), answer.status);
}

/** What the server says is wrong; something sensible where a machine in between has answered. */
function readProblem(text: string, status: number): Problem {
  try {
    const problem = JSON.parse(text) as Partial<Problem>;
    if (typeof problem.code === "string" && typeof problem.message === "string") return problem as Problem;
  } catch {
    // not ours
  }
  return { code: status >= 500 ? "unavailable" : "failed", message: `the server answered ${status}` };
}

const table = (name: string): string => `/api/tables/${encodeURIComponent(name)}`;

export const api = {
  session: () => request<SignedIn>("GET", "/api/session"),
  signIn: (name: string, password: string) => request<SignedIn>("POST", "/api/session", { name, password }),
  signOut: () => request<undefined>("DELETE", "/api/session"),
  tables: () => request<Brief[]>("GET", "/api/tables"),
  view: (name: string) => request<View>("GET", table(name)),
  events: (name: string, after: number) => request<Part>("GET", `${table(name)}/events?after=${after}`),
  give: (name: string, give: Give) => request<Given>("POST", `${table(name)}/commands`, give),
  giveFor: (name: string, give: GiveFor) => request<Given>("POST", `${table(name)}/commands-for`, give),
  account: () => request<Account>("GET", "/api/account"),
  ownLimits: () => request<OwnSeen>("GET", "/api/account/limits"),
  setOwnLimits: (change: OwnChange) => request<OwnSeen>("PUT", "/api/account/limits", change),
};
