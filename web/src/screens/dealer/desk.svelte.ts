/** What every part of the dealer's console needs: the table followed, and ways to do something at it. */

import { followTable, type FollowedTable } from "../../lib/connection.svelte";
import { api, request } from "../../lib/http";
import { notices } from "../../lib/notices.svelte";
import { poll } from "../../lib/polling";
import { session } from "../../lib/session.svelte";
import type { AnyCommand, CallSeen } from "../../lib/types";

const EVERY = 5_000;

export class Desk {
  readonly followed: FollowedTable;
  /** A supervisor was called to this table and has not come yet. */
  call = $state.raw<CallSeen | null>(null);

  constructor(readonly table: string) {
    this.followed = followTable(table);
    $effect(() => poll(() => this.#look(), EVERY));
  }

  /** Give a command as it is meant for what this console shows; rejects with what was refused. */
  readonly give = (body: AnyCommand): Promise<unknown> => this.followed.give(body, this.followed.view?.version);

  /** The same, and what is refused pops up. */
  readonly try = async (body: AnyCommand): Promise<boolean> => {
    try {
      await this.give(body);
      return true;
    } catch (error) {
      notices.trouble(error, this.followed.view?.public.sign);
      return false;
    }
  };

  /** A second person gives it at this console. */
  readonly signFor = (person: string, pin: string, body: AnyCommand): Promise<unknown> =>
    api.giveFor(this.table, { person, pin, give: { id: crypto.randomUUID(), body } });

  async signOn(): Promise<void> {
    const who = session.who;
    if (who) await this.try({ do: "sign_on", person: who.person, rank: who.rank });
  }

  /** Call a supervisor to the table, or call off. */
  async callSupervisor(): Promise<void> {
    const path = `/api/tables/${encodeURIComponent(this.table)}/call`;
    try {
      if (this.call) await request("DELETE", path);
      else await request("POST", path, { why: "" });
      await this.#look();
    } catch (error) {
      notices.trouble(error);
    }
  }

  async #look(): Promise<void> {
    if (!session.who || session.who.role === "player") return;
    const calls = await request<CallSeen[]>("GET", "/api/calls").catch(() => null);
    if (calls) this.call = calls.find((each) => each.table === this.table) ?? null;
  }
}
