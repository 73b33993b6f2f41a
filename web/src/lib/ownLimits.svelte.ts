/** What a player has asked of himself, as the server has it: a loss limit, reminders of the time, a break. */

import { api } from "./http";
import { problemOf } from "./notices.svelte";
import { session } from "./session.svelte";
import type { OwnChange, OwnSeen } from "./types";

class OwnLimits {
  seen = $state.raw<OwnSeen | null>(null);
  #of = "";

  /** Of whoever is signed in now; a server that does not answer is told of where one changes them. */
  async load(): Promise<void> {
    const { role, person = "" } = session.who ?? {};
    if (this.#of !== person) this.seen = null;
    this.#of = person;
    if (role !== "player") return;
    try {
      this.seen = await api.ownLimits();
    } catch (error) {
      if (!problemOf(error)) throw error;
    }
  }

  async change(change: OwnChange): Promise<void> {
    this.seen = await api.setOwnLimits(change);
  }
}

export const ownLimits = new OwnLimits();
