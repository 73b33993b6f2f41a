/** Which screen an address stands for. */

export type Route =
  | { screen: "lobby" | "signin" | "pit" | "surveillance" | "odds" | "nothing" }
  | { screen: "shoe"; table: string; shoe: number }
  | { screen: "several"; tables: string[] }
  | { screen: "table" | "dealer" | "display"; table: string };

/** Tables that one window has room for. */
export const MOST_TABLES = 4;

/** The screen of a path; parts after it are the screen's own. */
export function routeOf(path: string): Route {
  const [screen = "", ...rest] = path.split("/").filter(Boolean).map(decoded);
  const table = rest[0];
  switch (screen) {
    case "":
      return { screen: "lobby" };
    case "signin":
    case "pit":
    case "surveillance":
    case "odds":
      return { screen };
    case "dealer":
      return { screen, table: table ?? "" };
    case "tables":
      return rest.length > 0 && rest.length <= MOST_TABLES ? { screen: "several", tables: [...new Set(rest)] } : { screen: "nothing" };
    case "shoe":
      return table && /^[1-9]\d{0,8}$/.test(rest[1] ?? "") ? { screen, table, shoe: Number(rest[1]) } : { screen: "nothing" };
    case "table":
    case "display":
      return table ? { screen, table } : { screen: "nothing" };
    default:
      return { screen: "nothing" };
  }
}

/** A part of a path as it was meant; one that is badly encoded stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
