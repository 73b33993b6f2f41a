/**
 * The line to the floor: one websocket that comes back by itself.
 *
 * Tables that are followed go on from the last event seen, without gap or repeat. A command keeps its id and is sent
 * again, after a while and on every new connection, until it is answered: the floor carries an id out only once. What
 * comes from outside (sockets, time, chance, ids) is handed in.
 */

import { applied } from "./difference";
import type { AnyCommand, Bend, Bent, Changed, Do, Done, FromClient, FromServer, NotDone, Problem, Seen, View } from "./types";

export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((text: string) => void) | null;
  onclose: (() => void) | null;
}

export interface Outside {
  open(): Socket;
  /** Call back after so many milliseconds; what it returns calls it off. */
  after(milliseconds: number, call: () => void): () => void;
  /** From 0 up to 1. */
  chance(): number;
  id(): string;
}

/** `ended`: the floor has closed the line and does not want it back. */
export type LineState = "idle" | "connecting" | "online" | "offline" | "ended";

export interface Follower {
  view?: (view: View) => void;
  events?: (events: Seen[]) => void;
  /** Somebody bends a card that he squeezes. */
  bent?: (bent: Bent) => void;
  /** The table cannot be followed, or not be shown as it is. */
  bad?: (problem: Problem) => void;
}

/** A command that was not carried out. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

export interface Times {
  /** Until a command without an answer is sent again. */
  answer: number;
  /** Between two signs of life that we ask for, and how long we wait for each. */
  ping: number;
  pong: number;
  firstRetry: number;
  longestRetry: number;
}

export const TIMES: Times = { answer: 4_000, ping: 15_000, pong: 8_000, firstRetry: 400, longestRetry: 10_000 };

interface Watched {
  public: boolean;
  /** The last event seen; null before the first view. */
  after: number | null;
  viewVersion: number;
  /** The view as this connection has sent it, which differences are about; null where a whole one is waited for. */
  base: View | null;
  followers: Set<Follower>;
  latest: View | null;
}

interface Pending {
  frame: Do;
  resolve: (done: Done) => void;
  reject: (refused: Refused) => void;
  late: (() => void) | undefined;
  cancel: (() => void) | null;
}

export class Line {
  state: LineState = "idle";
  #socket: Socket | null = null;
  #watched = new Map<string, Watched>();
  #pending = new Map<string, Pending>();
  /** Milliseconds that a card may be squeezed at an electronic table. */
  forSqueeze = 0;
  #failures = 0;
  #cancelRetry: (() => void) | null = null;
  #cancelPing: (() => void) | null = null;

  constructor(
    private readonly outside: Outside,
    private readonly changed: (state: LineState, why: string) => void = () => undefined,
    private readonly times: Times = TIMES,
  ) {}

  /** Commands without an answer. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Follow a table; what it returns ends that. `public`: as the display sees it, whoever is signed in. */
  follow(table: string, follower: Follower, options: { public?: boolean } = {}): () => void {
    let watched = this.#watched.get(table);
    if (!watched) {
      watched = { public: options.public ?? false, after: null, viewVersion: -1, base: null, followers: new Set(), latest: null };
      this.#watched.set(table, watched);
      this.#watch(table, watched);
    }
    watched.followers.add(follower);
    if (watched.latest) follower.view?.(watched.latest);
    this.connect();
    return () => this.#unfollow(table, follower);
  }

  /** Give a command. It is sent until it is answered: done, or a {@link Refused}. `late` is told if that takes long. */
  give(table: string, body: AnyCommand, options: { against?: number; late?: () => void } = {}): Promise<Done> {
    const frame: Do = { op: "do", table, id: this.outside.id(), body };
    if (options.against !== undefined) frame.against = options.against;
    return new Promise((resolve, reject) => {
      const pending: Pending = { frame, resolve, reject, late: options.late, cancel: null };
      this.#pending.set(frame.id, pending);
      this.#sendCommand(pending);
      this.connect();
    });
  }

  /** Show everybody how a card is bent. What does not arrive is not worth sending again. */
  bend(bend: Omit<Bend, "op">): void {
    this.#send({ op: "bend", ...bend });
  }

  /** Connect unless that is done or under way. */
  connect(): void {
    if (this.state === "idle") this.#open();
  }

  /** Try at once: the network is back, or somebody has asked for it. */
  wake(): void {
    if (this.state === "offline" && this.#cancelRetry) {
      this.#cancelRetry();
      this.#open();
    }
  }

  /** There is no network any more: do not wait until that is noticed. */
  cutOff(): void {
    if (this.state === "online" || this.state === "connecting") this.#lost();
  }

  /** Hang up, and forget what was followed and asked for. */
  hangUp(): void {
    this.#watched.clear();
    this.#failAll({ code: "sign_in", message: "the connection was closed" });
    this.#drop();
    this.#set("idle");
  }

  // --- the socket

  #open(): void {
    this.#cancelRetry = null;
    this.#set(this.state === "offline" ? "offline" : "connecting");
    const socket = this.outside.open();
    this.#socket = socket;
    socket.onmessage = (text) => this.#receive(socket, text);
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost();
    };
    this.#expectLife();
  }

  /** Close the socket if nothing is heard for too long. */
  #expectLife(): void {
    this.#cancelPing?.();
    const wait = this.state === "online" ? this.times.ping : this.times.pong;
    this.#cancelPing = this.outside.after(wait, () => {
      if (this.state !== "online") return this.#lost();
      this.#send({ op: "ping" });
      this.#cancelPing = this.outside.after(this.times.pong, () => this.#lost());
    });
  }

  #lost(): void {
    if (this.state === "ended") return;
    this.#drop();
    this.#set("offline");
    const wait = Math.min(this.times.longestRetry, this.times.firstRetry * 2 ** this.#failures);
    this.#failures += 1;
    this.#cancelRetry = this.outside.after(wait * (0.5 + this.outside.chance() / 2), () => this.#open());
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#cancelPing?.();
    this.#cancelRetry?.();
    this.#cancelPing = this.#cancelRetry = null;
    for (const pending of this.#pending.values()) {
      pending.cancel?.();
      pending.cancel = null;
    }
    if (socket) {
      socket.onclose = socket.onmessage = socket.onopen = null;
      socket.close();
    }
  }

  #set(state: LineState, why = ""): void {
    if (this.state === state && !why) return;
    this.state = state;
    this.changed(state, why);
  }

  #send(frame: FromClient): void {
    if (this.state === "online") this.#socket?.send(JSON.stringify(frame));
  }

  // --- what is sent

  #watch(table: string, watched: Watched): void {
    watched.base = null;
    this.#send({ op: "watch", table, after: watched.after, public: watched.public });
  }

  #sendCommand(pending: Pending): void {
    if (this.state !== "online") return;
    this.#send(pending.frame);
    pending.cancel?.();
    pending.cancel = this.outside.after(this.times.answer, () => {
      pending.late?.();
      this.#sendCommand(pending);
    });
  }

  #unfollow(table: string, follower: Follower): void {
    const watched = this.#watched.get(table);
    if (!watched?.followers.delete(follower) || watched.followers.size > 0) return;
    this.#watched.delete(table);
    this.#send({ op: "unwatch", table });
  }

  // --- what comes

  #receive(socket: Socket, text: string): void {
    if (socket !== this.#socket) return;
    const message = JSON.parse(text) as FromServer;
    switch (message.m) {
      case "hello":
        this.#failures = 0;
        this.forSqueeze = message.for_squeeze ?? 0;
        this.#set("online");
        for (const [table, watched] of this.#watched) this.#watch(table, watched);
        for (const pending of this.#pending.values()) this.#sendCommand(pending);
        break;
      case "events":
        this.#events(message.table, message.events);
        break;
      case "view":
        this.#view(message.table, message.view);
        break;
      case "changed":
        this.#changes(message);
        break;
      case "bent":
        this.#watched.get(message.table)?.followers.forEach((follower) => follower.bent?.(message));
        break;
      case "done":
        this.#answered(message.id)?.resolve(message);
        break;
      case "refused":
        this.#refused(message);
        break;
      case "bye":
        return message.again ? this.#lost() : this.#end(message);
      case "bad":
        if (message.table) this.#watched.get(message.table)?.followers.forEach((follower) => follower.bad?.({ code: message.code, message: message.message }));
        break;
      case "pong":
        break;
    }
    this.#expectLife();
  }

  #events(table: string, events: Seen[]): void {
    const watched = this.#watched.get(table);
    if (!watched) return;
    const fresh = events.filter((seen) => watched.after === null || seen.version > watched.after);
    const first = fresh[0], last = fresh.at(-1);
    if (!first || !last) return;
    if (watched.after !== null && first.version > watched.after + 1) return this.#watch(table, watched);
    watched.after = last.version;
    for (const follower of watched.followers) follower.events?.(fresh);
  }

  #view(table: string, view: View): void {
    const watched = this.#watched.get(table);
    if (!watched) return;
    watched.base = view;
    if (view.version < watched.viewVersion) return;
    watched.viewVersion = view.version;
    watched.after ??= view.version;
    watched.latest = view;
    for (const follower of watched.followers) follower.view?.(view);
  }

  /** Whoever has another view than the floor thinks watches again, and gets a whole one. */
  #changes(changed: Changed): void {
    const watched = this.#watched.get(changed.table);
    if (!watched?.base) return;
    if (watched.base.version !== changed.base) return this.#watch(changed.table, watched);
    this.#view(changed.table, applied(watched.base, changed));
  }

  #answered(id: string): Pending | undefined {
    const pending = this.#pending.get(id);
    pending?.cancel?.();
    this.#pending.delete(id);
    return pending;
  }

  #refused(message: NotDone): void {
    // It is not known whether that was done: the timer sends the same again.
    if (message.code === "unavailable") return;
    const { code, message: text, paragraph, fits, detail, values } = message;
    this.#answered(message.id)?.reject(new Refused({ code, message: text, paragraph, fits, detail, values }));
  }

  #end(problem: Problem): void {
    this.#drop();
    this.#set("ended", problem.message);
    this.#failAll({ code: problem.code, message: problem.message });
  }

  #failAll(problem: Problem): void {
    const all = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of all) {
      pending.cancel?.();
      pending.reject(new Refused(problem));
    }
  }
}
