/** What each role comes to the page for. */

import type { SignedIn } from "./types";

export type Role = SignedIn["role"];

/** The first screen of a role. */
export function homeOf(role: Role): string {
  if (role === "pit" || role === "admin") return "/pit";
  if (role === "dealer") return "/dealer";
  return role === "surveillance" ? "/surveillance" : "/";
}
