/** Who is signed in. */

import { Trouble, api, useToken, whenSignedOut } from "./http";
import type { SignedIn } from "./types";

class Session {
  /** Null where nobody is signed in; undefined until the server has said. */
  who = $state<SignedIn | null | undefined>(undefined);
  /** Whether a session ended that had begun: the sign-in page says so. */
  ended = $state(false);

  constructor() {
    whenSignedOut(() => this.over());
  }

  /** Ask the server who is signed in. */
  async load(): Promise<void> {
    try {
      this.#set(await api.session());
    } catch (error) {
      if (error instanceof Trouble && error.status === 401) this.#set(null);
      else throw error;
    }
  }

  async signIn(name: string, password: string): Promise<void> {
    this.#set(await api.signIn(name, password));
    this.ended = false;
  }

  async signOut(): Promise<void> {
    try {
      await api.signOut();
    } finally {
      this.#set(null);
    }
  }

  /** The server no longer knows the session. */
  over(): void {
    if (this.who) this.ended = true;
    this.#set(null);
  }

  #set(who: SignedIn | null): void {
    this.who = who;
    useToken(who?.csrf ?? "");
  }
}

export const session = new Session();
