/**
 * A player's chips at a table. Every tap goes to the table at once and is shown as on its way until it is confirmed;
 * one that was meant for a round that is over by then is refused. What was refused stays at its place, with the reason.
 */

import { fill, findAction, problemOfAction } from "../../lib/actions";
import type { FollowedTable } from "../../lib/connection.svelte";
import { notices, problemOf } from "../../lib/notices.svelte";
import { prefs } from "../../lib/prefs.svelte";
import { session } from "../../lib/session.svelte";
import type { View } from "../../lib/types";
import {
  betsOf,
  offerFor,
  placeAction,
  spotOf,
  withSent,
  type Chips,
  type RefusedChips,
  type SentChips,
} from "./betting";

/** How long a refusal is shown, in milliseconds. */
const REFUSED_FOR = 3_000;

interface Placed extends Chips {
  /** Chips of one step are taken back together. */
  step: number;
}

export class Betting {
  sent = $state.raw<SentChips[]>([]);
  refused = $state.raw<RefusedChips[]>([]);
  /** Confirmed in this round, by this page. */
  #placed = $state.raw<Placed[]>([]);
  /** The bets of the last round that one took part in. */
  #last = $state.raw<Chips[]>([]);
  #step = 0;
  #round = 0;
  #open = false;

  /** `onconfirmed` hears of a bet that the table has confirmed, with all that lies there then. */
  constructor(
    private readonly table: FollowedTable,
    private readonly onconfirmed: (chips: Chips) => void = () => undefined,
  ) {
    this.#last = this.#remembered();
  }

  readonly mine = $derived.by(() => withSent(this.table.view?.own?.wagers ?? [], this.sent));
  readonly canUndo = $derived.by(() => this.#placed.length > 0);
  readonly canClear = $derived.by(() => (this.table.view?.own?.wagers ?? []).length > 0);
  readonly canRebet = $derived.by(() => this.#last.length > 0);

  /** What a new view changes: confirmed chips are in it, and a new round forgets what was undone or refused before. */
  see(view: View): void {
    if (this.sent.some((chips) => chips.version !== null && chips.version <= view.version)) {
      this.sent = this.sent.filter((chips) => chips.version === null || chips.version > view.version);
    }
    const round = view.public.round?.number ?? 0;
    const open = view.public.phase === "betting";
    // At the close what was refused is of no use any more; what is refused because of the close comes after it.
    if (round !== this.#round || (this.#open && !open)) this.refused = [];
    if (round !== this.#round || !open) this.#placed = [];
    this.#round = round;
    this.#open = open;
    const bets = betsOf(view.own?.payments ?? []);
    if (bets.length > 0 && JSON.stringify(bets) !== JSON.stringify(this.#last)) {
      this.#last = bets;
      sessionStorage.setItem(this.#key, JSON.stringify(bets));
    }
  }

  /** Put chips down, each bet by itself, so that a refusal is shown where it belongs. */
  async place(all: readonly Chips[]): Promise<void> {
    const step = ++this.#step;
    await Promise.all(all.map((chips) => this.#put(chips, step)));
  }

  undo(): Promise<void> {
    const step = Math.max(...this.#placed.map((placed) => placed.step));
    const back = this.#placed.filter((placed) => placed.step === step);
    this.#placed = this.#placed.filter((placed) => placed.step !== step);
    return this.#takeBack(back);
  }

  clear(): Promise<void> {
    this.#placed = [];
    this.refused = [];
    return this.#takeBack(this.#wagers);
  }

  double(): Promise<void> {
    return this.place(this.#wagers);
  }

  rebet(): Promise<void> {
    return this.place(this.#last);
  }

  /** Put down what was offered instead. */
  accept(refused: RefusedChips): Promise<void> {
    this.dismiss(refused);
    return this.place(refused.offer === null ? [] : [{ ...refused, amount: refused.offer }]);
  }

  dismiss(refused: RefusedChips): void {
    this.refused = this.refused.filter((each) => each !== refused);
  }

  get #wagers(): Chips[] {
    return (this.table.view?.own?.wagers ?? []).map(({ box, bet, stake }) => ({ box, bet, amount: stake }));
  }

  get #key(): string {
    return `puntobanco.bets.${session.who?.person ?? ""}.${this.table.name}`;
  }

  #remembered(): Chips[] {
    try {
      return JSON.parse(sessionStorage.getItem(this.#key) ?? "[]") as Chips[];
    } catch {
      return [];
    }
  }

  #on(box: number, bet: string): number {
    return this.mine.find((chips) => chips.box === box && chips.bet === bet)?.amount ?? 0;
  }

  async #put({ box, bet, amount }: Chips, step: number): Promise<void> {
    const view = this.table.view;
    const action = view ? placeAction(view, box, bet) : undefined;
    if (!view || !action) return;
    this.#forget(box, bet);
    if (!action.allowed) return this.#refuse({ box, bet, amount, problem: problemOfAction(action), offer: null });
    const chips: SentChips = { box, bet, amount, target: this.#on(box, bet) + amount, version: null };
    this.sent = [...this.sent, chips];
    try {
      const done = await this.table.give(fill(action, { box, [`wagers.${bet}`]: amount }), view.version);
      this.#placed = [...this.#placed, { box, bet, amount, step }];
      this.onconfirmed({ box, bet, amount: this.#on(box, bet) });
      const shown = (this.table.view?.version ?? 0) >= done.version;
      this.sent = this.sent.flatMap((each) => (each !== chips ? [each] : shown ? [] : [{ ...chips, version: done.version }]));
    } catch (error) {
      this.sent = this.sent.filter((each) => each !== chips);
      const problem = problemOf(error);
      if (!problem) throw error;
      this.#refuse({ box, bet, amount, problem, offer: offerFor(problem, action, bet, amount) });
    }
  }

  async #takeBack(all: readonly Chips[]): Promise<void> {
    await Promise.all(all.map((chips) => this.#withdraw(chips)));
  }

  async #withdraw({ box, bet, amount }: Chips): Promise<void> {
    const view = this.table.view;
    const stake = view?.own?.wagers.find((wager) => wager.box === box && wager.bet === bet)?.stake ?? 0;
    const action = view && findAction(view, "withdraw", { box, bet });
    if (!action || !view) return;
    this.#forget(box, bet);
    try {
      await this.table.give(fill(action, amount < stake ? { amount } : {}), view.version);
    } catch (error) {
      const problem = problemOf(error);
      if (!problem) return notices.trouble(error, view.public.sign);
      this.#refuse({ box, bet, amount, problem, offer: null });
    }
  }

  #forget(box: number, bet: string): void {
    this.refused = this.refused.filter((each) => spotOf(each.box, each.bet) !== spotOf(box, bet));
  }

  #refuse(refused: RefusedChips): void {
    this.#forget(refused.box, refused.bet);
    this.refused = [...this.refused, refused];
    if (!prefs.stay) setTimeout(() => this.dismiss(refused), REFUSED_FOR);
  }
}
