/** What somebody prefers at this browser, and is remembered there. */

const STORED = "puntobanco.prefs";

interface Kept {
  /** Whether tables are heard. */
  sound: boolean;
  /** Whether a refusal stays until it is closed: three seconds are not enough for everybody. */
  stay: boolean;
  /** Tables that stand first in the lobby. */
  favourites: string[];
  /** Whether one squeezes wherever one may. */
  squeeze: boolean;
}

const USUAL: Kept = { sound: true, stay: false, favourites: [], squeeze: false };

/** What the browser has kept, with the usual for what it has not; anything else counts as nothing. */
export function readPrefs(stored: string | null): Kept {
  let found: Record<string, unknown> = {};
  try {
    const read: unknown = JSON.parse(stored ?? "{}");
    if (typeof read === "object" && read !== null) found = read as Record<string, unknown>;
  } catch {
    // What was not written by this page is no preference.
  }
  const { sound, stay, favourites, squeeze } = found;
  return {
    sound: typeof sound === "boolean" ? sound : USUAL.sound,
    stay: typeof stay === "boolean" ? stay : USUAL.stay,
    favourites: Array.isArray(favourites) ? favourites.filter((each): each is string => typeof each === "string") : USUAL.favourites,
    squeeze: typeof squeeze === "boolean" ? squeeze : USUAL.squeeze,
  };
}

class Prefs {
  #kept = $state(readPrefs(localStorage.getItem(STORED)));

  get sound(): boolean {
    return this.#kept.sound;
  }

  set sound(on: boolean) {
    this.#keep({ sound: on });
  }

  get stay(): boolean {
    return this.#kept.stay;
  }

  set stay(on: boolean) {
    this.#keep({ stay: on });
  }

  get squeeze(): boolean {
    return this.#kept.squeeze;
  }

  set squeeze(wish: boolean) {
    this.#keep({ squeeze: wish });
  }

  get favourites(): readonly string[] {
    return this.#kept.favourites;
  }

  /** Put a table first, or back among the others. */
  favour(table: string): void {
    const { favourites } = this.#kept;
    this.#keep({ favourites: favourites.includes(table) ? favourites.filter((each) => each !== table) : [...favourites, table] });
  }

  #keep(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change };
    localStorage.setItem(STORED, JSON.stringify(this.#kept));
  }
}

export const prefs = new Prefs();
