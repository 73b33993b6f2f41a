import { expect, test, vi } from "vitest";

import { chance, fixture } from "../testing/fixtures";
import { Line, Refused, TIMES, type Outside, type Socket } from "./line";
import type { AnyCommand, FromClient, FromServer, View } from "./types";

const CALL: AnyCommand = { do: "call" };
const view = (version: number): View => ({ ...fixture<View>("incident-display"), version });
const events = (...versions: number[]): FromServer => ({ m: "events", table: "T1", events: versions.map((version) => ({ version, at: 0 })) });

/** Time that passes only when told to. */
class Clock {
  now = 0;
  #calls: { at: number; call: () => void }[] = [];

  after(milliseconds: number, call: () => void): () => void {
    const entry = { at: this.now + milliseconds, call };
    this.#calls.push(entry);
    return () => {
      this.#calls = this.#calls.filter((each) => each !== entry);
    };
  }

  pass(milliseconds: number): void {
    const end = this.now + milliseconds;
    for (;;) {
      const next = this.#calls.filter((each) => each.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#calls = this.#calls.filter((each) => each !== next);
      this.now = next.at;
      next.call();
    }
    this.now = end;
  }
}

class FakeSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((text: string) => void) | null = null;
  onclose: (() => void) | null = null;
  sent: FromClient[] = [];
  closed = false;
  hear: (frame: FromClient) => void = () => undefined;

  send(text: string): void {
    const frame = JSON.parse(text) as FromClient;
    this.sent.push(frame);
    this.hear(frame);
  }

  close(): void {
    this.closed = true;
  }

  tell(message: FromServer): void {
    this.onmessage?.(JSON.stringify(message));
  }

  hello(): void {
    this.tell({ m: "hello", person: "alice", role: "player", now: 0 });
  }

  break(): void {
    this.closed = true;
    this.onclose?.();
  }
}

function setUp(random = () => 0.5): { clock: Clock; sockets: FakeSocket[]; line: Line; states: string[] } {
  const clock = new Clock(), sockets: FakeSocket[] = [], states: string[] = [];
  let ids = 0;
  const outside: Outside = {
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    after: (milliseconds, call) => clock.after(milliseconds, call),
    chance: random,
    id: () => `id${++ids}`,
  };
  return { clock, sockets, line: new Line(outside, (state) => states.push(state)), states };
}

const last = <T>(all: T[]): T => all.at(-1) as T;

test("a table is watched from now on, and after a break from the last event seen", () => {
  const { clock, sockets, line, states } = setUp();
  const seen: number[] = [];
  line.follow("T1", { events: (all) => seen.push(...all.map((each) => each.version)) });
  last(sockets).hello();
  expect(last(sockets).sent).toEqual([{ op: "watch", table: "T1", after: null, public: false }]);
  last(sockets).tell({ m: "view", table: "T1", view: view(7) });
  last(sockets).tell(events(8, 9));
  last(sockets).break();
  expect(line.state).toBe("offline");
  clock.pass(TIMES.firstRetry);
  last(sockets).hello();
  expect(last(sockets).sent).toEqual([{ op: "watch", table: "T1", after: 9, public: false }]);
  last(sockets).tell(events(9, 10));
  expect(seen).toEqual([8, 9, 10]);
  expect(states).toEqual(["connecting", "online", "offline", "online"]);
});

test("a gap in the events is asked for again, and nothing after it is shown before", () => {
  const { sockets, line } = setUp();
  const seen: number[] = [];
  line.follow("T1", { events: (all) => seen.push(...all.map((each) => each.version)) });
  const socket = last(sockets);
  socket.hello();
  socket.tell({ m: "view", table: "T1", view: view(3) });
  socket.tell(events(5));
  expect(last(socket.sent)).toEqual({ op: "watch", table: "T1", after: 3, public: false });
  socket.tell(events(4, 5));
  expect(seen).toEqual([4, 5]);
});

test("an older view never replaces a newer one; who comes later gets the latest at once", () => {
  const { sockets, line } = setUp();
  const versions: number[] = [], later: number[] = [];
  line.follow("T1", { view: (each) => versions.push(each.version) });
  last(sockets).hello();
  for (const version of [4, 6, 5]) last(sockets).tell({ m: "view", table: "T1", view: view(version) });
  line.follow("T1", { view: (each) => later.push(each.version) });
  expect([versions, later]).toEqual([[4, 6], [6]]);
});

test("the last follower who goes ends the watch", () => {
  const { sockets, line } = setUp();
  const first = line.follow("T1", {}), second = line.follow("T1", {});
  last(sockets).hello();
  first();
  expect(last(sockets).sent).toHaveLength(1);
  second();
  expect(last(last(sockets).sent)).toEqual({ op: "unwatch", table: "T1" });
});

test("a command without an answer is sent again with the same id, and says that it takes long", async () => {
  const { clock, sockets, line } = setUp();
  const late = vi.fn();
  const done = line.give("T1", CALL, { late });
  last(sockets).hello();
  clock.pass(TIMES.answer);
  expect(late).toHaveBeenCalledOnce();
  expect(last(sockets).sent.map((frame) => "id" in frame && frame.id)).toEqual(["id1", "id1"]);
  last(sockets).tell({ m: "done", table: "T1", id: "id1", version: 5 });
  expect((await done).version).toBe(5);
  clock.pass(TIMES.answer * 3);
  expect(last(sockets).sent.filter((frame) => frame.op === "do")).toHaveLength(2);
});

test("a command given while offline is sent after the reconnect", async () => {
  const { clock, sockets, line } = setUp();
  line.connect();
  last(sockets).hello();
  last(sockets).break();
  const done = line.give("T1", CALL, { against: 12 });
  clock.pass(TIMES.firstRetry);
  last(sockets).hello();
  expect(last(sockets).sent).toEqual([{ op: "do", table: "T1", id: "id1", body: CALL, against: 12 }]);
  last(sockets).tell({ m: "done", table: "T1", id: "id1", version: 1 });
  await done;
});

test("a refusal reaches whoever asked, with paragraph and what would fit", async () => {
  const { sockets, line } = setUp();
  const given = line.give("T1", CALL);
  last(sockets).hello();
  last(sockets).tell({ m: "refused", table: "T1", id: "id1", code: "funds", message: "no", paragraph: "5.1", fits: 100 });
  const refused = await given.catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refused);
  expect((refused as Refused).problem).toEqual({ code: "funds", message: "no", paragraph: "5.1", fits: 100 });
});

test("where it is not known whether a command was done, the same is sent again", async () => {
  const { clock, sockets, line } = setUp();
  const given = line.give("T1", CALL);
  last(sockets).hello();
  last(sockets).tell({ m: "refused", table: "T1", id: "id1", code: "unavailable", message: "later" });
  expect(line.waiting).toBe(1);
  clock.pass(TIMES.answer);
  last(sockets).tell({ m: "done", table: "T1", id: "id1", version: 2, repeated: true });
  expect((await given).repeated).toBe(true);
});

test("a silent connection is given up, and retries come further and further apart, up to a limit", () => {
  const { clock, sockets, line } = setUp(() => 0.999);
  line.connect();
  last(sockets).hello();
  clock.pass(TIMES.ping);
  expect(last(last(sockets).sent)).toEqual({ op: "ping" });
  clock.pass(TIMES.pong);
  expect([line.state, last(sockets).closed]).toEqual(["offline", true]);
  const waits: number[] = [];
  for (let round = 0; round < 8; round++) {
    const before = sockets.length, from = clock.now;
    while (sockets.length === before) clock.pass(10);
    waits.push(clock.now - from);
    last(sockets).break();
  }
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect(last(waits)).toBeLessThanOrEqual(TIMES.longestRetry + 10);
});

test("an answered ping keeps the connection", () => {
  const { clock, sockets, line } = setUp();
  line.connect();
  last(sockets).hello();
  for (let round = 0; round < 5; round++) {
    clock.pass(TIMES.ping);
    last(sockets).tell({ m: "pong", id: "", now: 0 });
  }
  expect([line.state, sockets.length]).toEqual(["online", 1]);
});

test("when the network is back the line does not wait", () => {
  const { sockets, line } = setUp();
  line.connect();
  last(sockets).break();
  line.wake();
  expect(sockets).toHaveLength(2);
  line.wake();
  expect(sockets).toHaveLength(2);
});

test("a line that the floor ends for good stays ended and refuses what waits", async () => {
  const { clock, sockets, line } = setUp();
  const given = line.give("T1", CALL).catch((error: unknown) => error);
  last(sockets).hello();
  last(sockets).tell({ m: "bye", code: "sign_in", message: "revoked", again: false });
  expect(((await given) as Refused).problem.code).toBe("sign_in");
  clock.pass(60_000);
  expect([line.state, sockets.length]).toEqual(["ended", 1]);
});

/** A floor that keeps a log, carries each id out once, and loses connections and answers at random. */
test("over a network that breaks all the time, every command is done once and the events come whole and in order", async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = chance(seed);
    const { clock, sockets, line } = setUp(random);
    const done = new Map<string, number>();
    let log = 0;
    const seen: number[] = [];
    line.follow("T1", { events: (all) => seen.push(...all.map((each) => each.version)) });
    const promises: Promise<unknown>[] = [];
    const serve = (socket: FakeSocket): void => {
      let watching = false;
      socket.hear = (frame) => {
        if (random() < 0.15) return;
        if (frame.op === "watch") {
          watching = true;
          const after = frame.after ?? log;
          if (after < log) socket.tell(events(...Array.from({ length: log - after }, (_, index) => after + index + 1)));
          socket.tell({ m: "view", table: "T1", view: view(log) });
        } else if (frame.op === "do") {
          const repeated = done.has(frame.id);
          if (!repeated) {
            done.set(frame.id, ++log);
            if (watching) socket.tell(events(log));
          }
          if (random() < 0.7) socket.tell({ m: "done", table: "T1", id: frame.id, version: done.get(frame.id) ?? 0, repeated });
        } else if (frame.op === "ping") socket.tell({ m: "pong", id: "", now: 0 });
      };
      socket.hello();
    };
    let served = 0;
    for (let step = 0; step < 400; step++) {
      if (sockets.length > served) {
        served = sockets.length;
        if (random() < 0.8) serve(last(sockets));
        else last(sockets).break();
      } else if (random() < 0.1) last(sockets).break();
      if (step < 200 && random() < 0.2) promises.push(line.give("T1", CALL));
      clock.pass(Math.floor(random() * 1_500));
    }
    while (line.waiting > 0 || line.state !== "online") {
      if (sockets.length > served) {
        served = sockets.length;
        serve(last(sockets));
      }
      clock.pass(500);
    }
    await Promise.all(promises);
    expect(done.size).toBe(promises.length);
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => (seen[0] ?? 0) + index));
  }
});

test("without network the line is down at once, and up again when there is one", () => {
  const { sockets, line } = setUp();
  line.follow("T1", {});
  last(sockets).hello();
  line.give("T1", CALL);
  line.cutOff();
  expect(line.state).toBe("offline");
  expect(last(sockets).closed).toBe(true);
  line.wake();
  last(sockets).hello();
  expect(line.state).toBe("online");
  expect(last(sockets).sent.filter((frame) => frame.op === "do").length).toBe(1);
});

const changed = (base: number, version: number, parts: Record<string, unknown> = {}, lists: Record<string, unknown[]> = {}): FromServer =>
  ({ m: "changed", table: "T1", base, version, now: 77, parts, lists });

test("differences are put into the view, and what stays is the same", () => {
  const { sockets, line } = setUp();
  const views: View[] = [];
  line.follow("T1", { view: (each) => views.push(each) });
  last(sockets).hello();
  last(sockets).tell({ m: "view", table: "T1", view: view(5) });
  const stakes = [{ box: 1, bet: "tie", amount: 100 }, { box: 2, bet: "tie", amount: 200 }];
  last(sockets).tell(changed(5, 6, { "public.time_left": 900, "public.stakes": stakes, flags: [] }));
  last(sockets).tell(changed(6, 8, {}, { "public.stakes": [[1, 1], { box: 3, bet: "tie", amount: 300 }, [0, 1]] }));
  const [first, second, third] = views;
  if (!first || !second || !third) throw new Error("three views were told");
  expect(second).toEqual({ ...first, version: 6, now: 77, flags: [], public: { ...first.public, time_left: 900, stakes } });
  expect(third.public.stakes).toEqual([stakes[1], { box: 3, bet: "tie", amount: 300 }, stakes[0]]);
  expect(third.version).toBe(8);
  expect(second.public.sign).toBe(first.public.sign);
});

test("a difference from another view than the last is not used: a whole one is asked for, once", () => {
  const { sockets, line } = setUp();
  const views: number[] = [];
  line.follow("T1", { view: (each) => views.push(each.version) });
  last(sockets).hello();
  last(sockets).tell({ m: "view", table: "T1", view: view(5) });
  last(sockets).sent = [];
  last(sockets).tell(changed(7, 8));
  last(sockets).tell(changed(8, 9));
  expect(last(sockets).sent).toEqual([{ op: "watch", table: "T1", after: 5, public: false }]);
  last(sockets).tell({ m: "view", table: "T1", view: view(9) });
  last(sockets).tell(changed(9, 10));
  expect(views).toEqual([5, 9, 10]);
});

test("after the connection was lost a difference waits for a whole view", () => {
  const { clock, sockets, line } = setUp();
  const views: number[] = [];
  line.follow("T1", { view: (each) => views.push(each.version) });
  last(sockets).hello();
  last(sockets).tell({ m: "view", table: "T1", view: view(5) });
  last(sockets).break();
  clock.pass(TIMES.firstRetry);
  last(sockets).hello();
  last(sockets).tell(changed(5, 6));
  last(sockets).tell({ m: "view", table: "T1", view: view(6) });
  last(sockets).tell(changed(6, 7));
  expect(views).toEqual([5, 6, 7]);
});
