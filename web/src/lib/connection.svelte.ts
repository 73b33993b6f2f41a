/** The page's one line to the floor, and tables followed over it. */

import { Line, type LineState, type Outside, type Socket } from "./line";
import { underWay } from "./rest";
import { session } from "./session.svelte";
import type { AnyCommand, Bent, Done, Problem, Seen, View } from "./types";

const browser: Outside = {
  open() {
    const real = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/stream`);
    const socket: Socket = { send: (text) => real.send(text), close: () => real.close(), onopen: null, onmessage: null, onclose: null };
    real.onopen = () => socket.onopen?.();
    real.onmessage = (message) => socket.onmessage?.(String(message.data));
    real.onclose = () => socket.onclose?.();
    return socket;
  },
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
  chance: Math.random,
  id: () => crypto.randomUUID(),
};

class Connection {
  state = $state<LineState>("idle");
  /** Why the floor ended the connection. */
  why = $state("");
  #line: Line;

  constructor() {
    this.#line = new Line(browser, (state, why) => {
      this.state = state;
      this.why = why;
      if (state === "ended") session.over();
    });
    addEventListener("online", () => this.#line.wake());
    addEventListener("offline", () => this.#line.cutOff());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#line.wake();
    });
  }

  get line(): Line {
    return this.#line;
  }

  wake(): void {
    this.#line.wake();
  }

  hangUp(): void {
    this.#line.hangUp();
  }
}

export const connection = new Connection();

/** Milliseconds after which a card is let go whose squeeze is no longer heard of. */
const BEND_LASTS = 4_000;

/** A table followed: the latest view, and until when the time for bets or insurance runs. Made by {@link followTable}. */
export class FollowedTable {
  view = $state.raw<View | null>(null);
  /** Why there is no view, or none of how the table is now. */
  problem = $state.raw<Problem | null>(null);
  /** By this browser's `performance.now()`; null where no time runs. */
  deadline = $state<number | null>(null);
  /** How long that time was when it began. */
  span = $state(0);
  /** Commands of this page that wait for an answer. */
  waiting = $state(0);
  /** Whether one of them takes long. */
  late = $state(false);
  /** How somebody else bends a card just now. */
  bent = $state.raw<Bent | null>(null);
  #letGo: ReturnType<typeof setTimeout> | undefined;
  #listeners: ((events: Seen[]) => void)[] = [];

  constructor(
    readonly name: string,
    readonly asDisplay: boolean,
  ) {}

  /** Hear of events as they come: for sounds, animations and what is read out. Returns what ends that. */
  onEvents(listener: (events: Seen[]) => void): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener);
    };
  }

  /** Give a command; resolves when it is durable, rejects with `Refused`. */
  async give(body: AnyCommand, against?: number): Promise<Done> {
    this.waiting += 1;
    try {
      const late = (): void => {
        this.late = true;
      };
      return await underWay(connection.line.give(this.name, body, against === undefined ? { late } : { against, late }));
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.late = false;
    }
  }

  /** Show everybody how one bends a card. */
  bend(card: number, grip: [number, number], at: [number, number], done = false): void {
    connection.line.bend({ table: this.name, card, grip, at, done });
  }

  /** When a card that one begins to squeeze now is turned by the table, by `performance.now()`; null where nobody hurries. */
  squeezeUntil(): number | null {
    const { forSqueeze } = connection.line;
    return this.view?.public.sign.electronic && forSqueeze > 0 ? performance.now() + forSqueeze : null;
  }

  /** Begin to follow; returns what ends it. */
  start(): () => void {
    return connection.line.follow(
      this.name,
      { view: (view) => this.#see(view), bent: (bent) => this.#watchBend(bent), events: (events) => this.#listeners.forEach((listener) => listener(events)), bad: (problem) => (this.problem = problem) },
      { public: this.asDisplay },
    );
  }

  /** A bend that nothing is heard of any more is over. */
  #watchBend(bent: Bent): void {
    clearTimeout(this.#letGo);
    this.bent = bent.done ? null : bent;
    if (!bent.done) this.#letGo = setTimeout(() => (this.bent = null), BEND_LASTS);
  }

  #see(view: View): void {
    const left = view.public.time_left;
    if (left === null) this.span = 0;
    else if (left > this.span || this.deadline === null) this.span = left;
    this.deadline = left === null ? null : performance.now() + left;
    this.view = view;
    this.problem = null;
  }
}

/** Follow a table as long as the component lives. */
export function followTable(name: string, options: { asDisplay?: boolean } = {}): FollowedTable {
  const table = new FollowedTable(name, options.asDisplay ?? false);
  $effect(() => table.start());
  return table;
}
