/** Requests of those who run the house: the pit, surveillance, the administration, and whoever asks for odds. */

import { request } from "./http";
import type {
  Account, Brief, CallSeen, DayCourse, DeviceSeen, DeviceToken, GameOdds, GameSeen, NewDevice, NewPerson, OpenPlan, Part, PersonSeen, RoundEntry, Significant, Stop, StopSeen, TableFigures, TableOdds, Verified, View,
} from "./types";

/** A sheet of a report, as the server writes it. */
export interface ReportSheet {
  title: string;
  headings: string[];
  rows: { cells: string[]; kind: string; drawn: Compared | null }[];
  note: string;
  whole: boolean;
}

/** A figure of play against its expectation; `expected` is an exact fraction. */
export interface Compared {
  kind: string;
  name: string;
  paragraph: string;
  count: number;
  observed: number;
  expected: string;
  sd: number;
  band: [number, number];
  chance: number;
  judged: boolean;
  outstanding: boolean;
}

export const REPORT_FILES = ["shifts", "bets", "rulings", "people", "staff", "statistics"] as const;

const table = (name: string): string => `/api/tables/${encodeURIComponent(name)}`;

/** The part of an address behind the question mark; what is empty is left out. */
export function queryOf(values: Record<string, string | number | boolean>): string {
  const said = Object.entries(values).filter(([, value]) => value !== "" && value !== false);
  return said.length ? `?${new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString()}` : "";
}

export const house = {
  tables: (closed: boolean) => request<Brief[]>("GET", `/api/tables${queryOf({ closed })}`),
  openTable: (plan: OpenPlan) => request<Brief>("POST", "/api/tables", plan),
  figures: () => request<TableFigures[]>("GET", "/api/figures"),
  course: (name: string) => request<DayCourse>("GET", `${table(name)}/course`),
  devices: () => request<DeviceSeen[]>("GET", "/api/devices"),
  addDevice: (device: NewDevice) => request<DeviceToken>("POST", "/api/devices", device),
  removeDevice: (name: string) => request<undefined>("DELETE", `/api/devices/${encodeURIComponent(name)}`),
  rounds: (name: string) => request<RoundEntry[]>("GET", `${table(name)}/rounds`),
  replay: (name: string, first: number, last: number) => request<View[]>("GET", `${table(name)}/replay?first=${first}&last=${last}`),
  events: (name: string, after: number, most: number) => request<Part>("GET", `${table(name)}/events?after=${after}&most=${most}`),
  verify: (name: string) => request<Verified>("POST", `${table(name)}/verify`),
  logAddress: (name: string) => `${table(name)}/log`,
  clearFault: (name: string, why: string) => request<undefined>("POST", `${table(name)}/clear-fault`, { why }),
  significant: (after: number) => request<Significant[]>("GET", `/api/significant${queryOf({ after })}`),
  /** Why tables are out of order, by their names; `*` stands for all. */
  faults: async () => (await request<{ faults: Record<string, string> }>("GET", "/health")).faults,
  calls: () => request<CallSeen[]>("GET", "/api/calls"),
  clearCall: (name: string) => request<undefined>("DELETE", `${table(name)}/call`),
  people: () => request<PersonSeen[]>("GET", "/api/people"),
  addPerson: (person: NewPerson) => request<PersonSeen>("POST", "/api/people", person),
  changePerson: (name: string, change: Record<string, string>) => request<PersonSeen>("PATCH", `/api/people/${encodeURIComponent(name)}`, change),
  revoke: (name: string, why: string) => request<undefined>("POST", `/api/people/${encodeURIComponent(name)}/revoke`, { why }),
  money: (name: string, id: string, amount: number, currency: string) => request<Account>("POST", `/api/people/${encodeURIComponent(name)}/money`, { id, amount, currency }),
  stops: () => request<StopSeen[]>("GET", "/api/stops"),
  stop: (stop: Stop) => request<StopSeen[]>("POST", "/api/stops", stop),
  lift: (stop: Stop) => request<StopSeen[]>("POST", "/api/stops/lift", stop),
  reports: (values: Record<string, string | boolean>) => request<ReportSheet[]>("GET", `/api/reports${queryOf(values)}`),
  games: () => request<GameSeen[]>("GET", "/api/games"),
  odds: (game: string, layout: string, decks: number) => request<GameOdds>("GET", `/api/odds/${encodeURIComponent(game)}${queryOf({ layout, decks })}`),
  tableOdds: (name: string) => request<TableOdds>("GET", `${table(name)}/odds`),
};
