"""Plays whole floors with everything that goes wrong, seed after seed, and stops at the first thing that does not hold.

Every simulation is one seed: the same seed is the same trace, on any machine. One that fails is named, with the last
hundred steps before it and the least that still fails. docs/simulation.md has what is simulated and what must hold.
"""

from __future__ import annotations

import argparse
import gc
import logging
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from typing import get_args

from msgspec.structs import replace
from tests.simulation.bugs import BUGS
from tests.simulation.faults import RATES
from tests.simulation.world import Plan, Result, simulate

from puntobanco.table import events as e

SHORTEST = 0.01
"""Hours below which a replay is not shortened any more."""
MEETINGS = ("kill", "power cut", "connection cut")
"""The kinds of faults that every kind of event is to meet."""


def play(work: tuple[Plan, str]) -> Result:
    plan, bug = work
    logging.disable(logging.CRITICAL)
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)  # what a floor keeps is kept to its end
    return simulate(plan, bug=BUGS[bug].put_in if bug else None)


def plans(options: argparse.Namespace) -> Iterator[Plan]:
    """One after the other: every third floor has two processes and a database server."""
    seed = options.seed
    left = options.hours
    while left > 0:
        hours = min(options.each, left)
        several = options.processes == 2 or (options.processes == 0 and seed % 3 == 0)
        yield Plan(
            seed=seed,
            hours=hours,
            tables=options.tables,
            several=several,
            faults=tuple(options.faults.split(",")),
            rate=options.rate,
        )
        left -= hours
        seed += 1


def minimised(result: Result, bug: str) -> Result:
    """The same break with as few kinds of faults and as short as can be found in a few tries."""
    least = result
    chosen = sorted(RATES) if "all" in result.plan.faults else list(result.plan.faults)
    hours = max(SHORTEST, result.at / 3600)
    for kind in [*chosen, ""]:
        fewer = tuple(each for each in chosen if each != kind) or ("none",)
        tried = play((replace(least.plan, faults=fewer, hours=hours), bug))
        if tried.broken and tried.at <= least.at:
            least, chosen = tried, list(fewer)
    return least


LONG_ENOUGH = 600.0
"""Seconds of the processor within which each bug has to be found."""


def find_bugs(options: argparse.Namespace) -> int:
    """A row for each bug: floors seed after seed until one breaks. Nothing is minimised."""
    print("| bug | seed | processor | floor until then | what did not hold |")
    print("| --- | ---: | ---: | ---: | --- |")
    missed = 0
    processes = get_context("forkserver")
    processes.set_forkserver_preload([simulate.__module__])
    with processes.Pool(1, maxtasksperchild=1) as pool:
        for name, bug in BUGS.items():
            spent = floor = 0.0
            own = argparse.Namespace(**vars(options) | {"processes": bug.processes or options.processes, "hours": 1e9})
            for plan in plans(own):
                result = pool.apply(play, ((plan, name),))
                spent, floor = spent + result.real, floor + result.at
                if result.broken or spent > LONG_ENOUGH:
                    break
            missed += not result.broken
            seed = plan.seed if result.broken else "–"
            print(
                f"| `{name}` | {seed} | {spent:.0f} s | {floor:.0f} s | {result.broken[:300] or 'not found'} |",
                flush=True,
            )
    return int(missed > 0)


def told(result: Result) -> str:
    plan = result.plan
    rate = result.table_hours * 3600 / result.real if result.real else 0
    return (
        f"seed {plan.seed}: {'two processes' if plan.several else 'SQLite'}, {result.table_hours:.2f} table-hours in"
        f" {result.real:.1f} s ({rate:,.0f} an hour), {result.rounds} rounds, {sum(result.events.values())} events,"
        f" {sum(result.faults.values())} faults, trace {result.trace[:16]}"
    )


def report(results: Sequence[Result], begun: float) -> None:
    """What was tried, and what never was."""
    faults: Counter[str] = Counter()
    events: Counter[str] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    for result in results:
        faults += result.faults
        events += result.events
        met += result.met
    hours = sum(result.table_hours for result in results)
    simulated = sum(result.at for result in results)
    real = time.monotonic() - begun
    print(f"\n{hours:,.1f} table-hours in {real / 60:,.1f} minutes: {hours / real * 3600:,.0f} an hour,")
    print(f"{simulated / real:,.0f} simulated seconds a second; {sum(result.rounds for result in results):,} rounds,")
    print(f"{sum(result.commands for result in results):,} commands granted, {sum(events.values()):,} events")
    print("\nfaults: " + ", ".join(f"{kind} {count:,}" for kind, count in sorted(faults.items())))
    print(f"\n{'event':<26}{'came':>9}" + "".join(f"{kind:>16}" for kind in MEETINGS))
    for kind in sorted(str(each.__struct_config__.tag) for each in get_args(e.AnyEvent)):
        cells = "".join(f"{met[kind, fault]:>16,}" for fault in MEETINGS)
        print(f"{kind:<26}{events[kind]:>9,}{cells}")
    never = [
        f"{kind} × {fault}"
        for kind in sorted(str(each.__struct_config__.tag) for each in get_args(e.AnyEvent))
        for fault in MEETINGS
        if not met[kind, fault]
    ]
    print(f"\nnever met: {', '.join(never) or 'nothing'}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scripts/simulate-floor", description=__doc__)
    parser.add_argument("--seed", type=int, default=None, help="the first seed; by the clock if none is given")
    parser.add_argument("--hours", type=float, default=1.0, help="hours of the floor to simulate in all (1)")
    parser.add_argument("--minutes", type=float, default=1e9, help="real minutes after which no more are waited for")
    parser.add_argument("--each", type=float, default=0.5, help="hours of one simulation before the next seed (0.5)")
    parser.add_argument("--tables", type=int, default=4, help="tables of a floor (4)")
    parser.add_argument("--processes", type=int, default=0, choices=(0, 1, 2), help="1 with SQLite, 2 with a database")
    parser.add_argument("--faults", default="all", help=f"all, none, or of these, with commas: {', '.join(RATES)}")
    parser.add_argument("--rate", type=float, default=1.0, help="how often things go wrong, times the usual (1)")
    parser.add_argument("--bug", default="", choices=["", "all", *BUGS], help="put a bug in, and find it")
    parser.add_argument("--jobs", type=int, default=1, help="simulations at the same time (1)")
    parser.add_argument("--go-on", action="store_true", help="do not stop at the first that breaks")
    options = parser.parse_args(arguments)
    unknown = set(options.faults.split(",")) - {"all", "none", *RATES}
    if unknown:
        parser.error(f"there is no fault {sorted(unknown)[0]!r}; there are: {', '.join(RATES)}")
    options.seed = int(time.time()) if options.seed is None else options.seed
    if options.bug == "all":
        return find_bugs(options)
    if options.bug and BUGS[options.bug].processes:
        options.processes = BUGS[options.bug].processes
    results: list[Result] = []
    begun, failed = time.monotonic(), False
    processes = get_context("forkserver")
    processes.set_forkserver_preload([simulate.__module__])
    with processes.Pool(options.jobs, maxtasksperchild=1) as pool:
        for result in pool.imap(play, ((plan, options.bug) for plan in plans(options))):
            results.append(result)
            print(told(result), flush=True)
            if result.broken:
                failed = True
                print(f"\nBROKEN after {result.at:.1f} simulated and {time.monotonic() - begun:.0f} real seconds:")
                print(f"  {result.broken}\n", flush=True)
            if (result.broken and not options.go_on) or time.monotonic() - begun > 60 * options.minutes:
                pool.terminate()
                break
    if failed and not options.go_on:
        broken = results[-1]
        print("the last hundred steps:")
        print("".join(f"  {step}\n" for step in broken.last))
        least = minimised(broken, options.bug)
        plan = least.plan
        again = f"--seed {plan.seed} --hours {plan.hours:.4f} --each {plan.hours:.4f} --tables {plan.tables}"
        again += f" --processes {2 if plan.several else 1} --rate {plan.rate} --faults '{','.join(plan.faults)}'"
        print(
            f"the least that was found: scripts/simulate-floor {again}{f' --bug {options.bug}' if options.bug else ''}"
        )
        print(f"  breaks after {least.at:.1f} s: {least.broken}")
    report(results, begun)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
