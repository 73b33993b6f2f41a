/** The pit: every open table followed live, its figures of the day, and alerts that stay until somebody clears them. */

import { FollowedTable } from "../../lib/connection.svelte";
import { house } from "../../lib/house";
import { notices, problemOf } from "../../lib/notices.svelte";
import { poll } from "../../lib/polling";
import type { Brief, CallSeen, Seen, StopSeen, TableFigures } from "../../lib/types";
import { alertsAfter, type Alert } from "./alerts";

const TABLES_EVERY = 4_000;
const FIGURES_EVERY = 15_000;
/** Events that are looked through when somebody opens the console for the first time. */
const LOOK_BACK = 300;
const MOST_ALERTS = 300;

interface Kept {
  alerts: readonly Alert[];
  /** The last event of each table that was looked at. */
  versions: Record<string, number>;
}

export class Pit {
  tables = $state.raw<Brief[]>([]);
  loaded = $state(false);
  figures = $state.raw<Readonly<Record<string, TableFigures>>>({});
  followed = $state.raw<Readonly<Record<string, FollowedTable>>>({});
  stops = $state.raw<StopSeen[]>([]);
  /** Tables to which a supervisor was called, the longest wait first. */
  calls = $state.raw<CallSeen[]>([]);
  /** Of tables whose log is damaged there is nothing but this. */
  faults = $state.raw<Readonly<Record<string, string>>>({});
  alerts = $state.raw<readonly Alert[]>([]);
  /** Called with each alert that is new while the console is open. */
  onalert: (alert: Alert) => void = () => undefined;
  #versions: Record<string, number> = {};
  #ends: Record<string, () => void> = {};
  #place: string;
  #keeping = false;

  constructor(person: string) {
    this.#place = `puntobanco.pit.${person}`;
    try {
      const kept = JSON.parse(localStorage.getItem(this.#place) ?? "null") as Kept | null;
      if (kept) [this.alerts, this.#versions] = [kept.alerts, kept.versions];
    } catch {
      // whatever was kept cannot be read: begin anew
    }
  }

  /** Begin; returns what ends it. */
  start(): () => void {
    const polls = [poll(() => this.loadTables(), TABLES_EVERY), poll(() => this.loadFigures(), FIGURES_EVERY)];
    return () => {
      polls.forEach((end) => end());
      Object.values(this.#ends).forEach((end) => end());
      this.#ends = {};
    };
  }

  async loadTables(): Promise<void> {
    try {
      [this.tables, this.calls, this.faults] = await Promise.all([house.tables(false), house.calls(), house.faults()]);
      this.loaded = true;
      this.#follow(this.tables.map((table) => table.table));
    } catch (error) {
      if (!problemOf(error)) throw error;
      if (!this.loaded) notices.trouble(error);
    }
  }

  async loadFigures(): Promise<void> {
    try {
      this.stops = await house.stops();
      this.figures = Object.fromEntries((await house.figures()).map((each) => [each.table, each]));
    } catch (error) {
      if (!problemOf(error)) throw error;
    }
  }

  #follow(names: string[]): void {
    const gone = Object.keys(this.#ends).filter((name) => !names.includes(name));
    const fresh = names.filter((name) => !(name in this.#ends));
    if (!gone.length && !fresh.length) return;
    gone.forEach((name) => this.#ends[name]?.());
    this.#ends = Object.fromEntries(Object.entries(this.#ends).filter(([name]) => names.includes(name)));
    const followed = Object.fromEntries(Object.entries(this.followed).filter(([name]) => names.includes(name)));
    for (const name of fresh) {
      const table = new FollowedTable(name, false);
      const deaf = table.onEvents((events) => this.#hear(name, events, true));
      const end = table.start();
      this.#ends[name] = () => {
        deaf();
        end();
      };
      followed[name] = table;
      this.#catchUp(name, this.#versions[name]).catch((error: unknown) => notices.trouble(error));
    }
    this.followed = followed;
  }

  /** What happened while nobody looked. */
  async #catchUp(name: string, kept: number | undefined): Promise<void> {
    const { version } = await house.events(name, Number.MAX_SAFE_INTEGER, 1);
    // a table that has fewer events than were seen is another one of that name
    const after = kept === undefined || kept > version ? Math.max(0, version - LOOK_BACK) : kept;
    if (after < version) this.#hear(name, (await house.events(name, after, 2_000)).events, false);
  }

  #hear(table: string, events: readonly Seen[], live: boolean): void {
    const before = this.alerts;
    const fresh = events.filter((seen) => seen.version > (this.#versions[table] ?? 0) || !live);
    let alerts = before;
    for (const seen of fresh) {
      if (!live && alerts.some((alert) => alert.id.startsWith(`${table} `) && alert.seen.version === seen.version)) continue;
      alerts = alertsAfter(alerts, table, seen);
    }
    const last = events.at(-1)?.version ?? 0;
    this.#versions[table] = live ? Math.max(last, this.#versions[table] ?? 0) : last;
    if (alerts !== before) {
      this.alerts = alerts.slice(0, MOST_ALERTS);
      if (live) for (const alert of alerts) if (!before.some((each) => each.id === alert.id)) this.onalert(alert);
    }
    this.#keep();
  }

  /** Somebody has gone to the table. */
  async clearCall(table: string): Promise<void> {
    await house.clearCall(table).catch((error: unknown) => notices.trouble(error));
    await this.loadTables();
  }

  clear(ids: ReadonlySet<string>): void {
    this.alerts = this.alerts.filter((alert) => !ids.has(alert.id));
    this.#keep();
  }

  /** Keep them for the next visit, a moment later and once for all that happens in between. */
  #keep(): void {
    if (this.#keeping) return;
    this.#keeping = true;
    setTimeout(() => {
      this.#keeping = false;
      localStorage.setItem(this.#place, JSON.stringify({ alerts: this.alerts, versions: this.#versions } satisfies Kept));
    }, 500);
  }
}
