"""Seeds of players: a committed shoe is mixed by numbers that the House cannot know when it commits to the order.

First everybody who wants to pledges a seed by its hash. Then those who did show it, and the shoe is mixed by the seeds
that were shown, in the order of the pledges. So players do not know each other's seeds when their own are fixed, nor
does the House know any when it shuffles. Time is limited, and a player who does not show a pledged seed may not pledge
again at that table.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from msgspec.structs import replace

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import Command
from puntobanco.table.people.lookup import find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.shoe import lifetime
from puntobanco.table.shoe.lifetime import check_shoe
from puntobanco.table.shoe.state import Seeds
from puntobanco.table.state import Table

PLEDGE = b"puntobanco seed pledge 1\0"
_HEX_256 = re.compile("[0-9a-f]{64}")


def pledge_of(commitment: str, seed: str) -> str:
    """What is pledged of a seed for the shoe of that commitment; all three are 64 hexadecimal digits."""
    return hashlib.sha256(PLEDGE + bytes.fromhex(commitment) + bytes.fromhex(seed)).hexdigest()


def pledge_seed(table: Table, command: Command, body: c.PledgeSeed) -> Sequence[e.Event]:
    """A player pledges a seed before any is shown."""
    seeds = _seeds(table, command, body.person)
    if seeds.due:
        raise Refused("seeds.late")
    if body.person in seeds.pledges:
        raise Refused("seeds.twice", person=body.person)
    if body.person in table.shoe.unkept:
        raise Refused("seeds.unkept", person=body.person)
    _check_digits(body.pledge)
    pledged = e.SeedPledged(body.person, body.pledge)
    may = {each.id for each in table.people.values() if not each.staff} - table.shoe.unkept - table.absent
    if may - {body.person} - seeds.pledges.keys():
        return (pledged,)
    return (pledged, e.SeedsDue(_until(table, command.at)))  # there is nobody to wait for


def show_seed(table: Table, command: Command, body: c.ShowSeed) -> Sequence[e.Event]:
    """The seed that was pledged; the last one mixes the shoe."""
    seeds = _seeds(table, command, body.person)
    if not seeds.due:
        raise Refused("seeds.early")
    if body.person not in seeds.pledges:
        raise Refused("seeds.not_pledged", person=body.person)
    if body.person in seeds.shown:
        raise Refused("seeds.twice", person=body.person)
    _check_digits(body.seed)
    if pledge_of(table.shoe.commitment, body.seed) != seeds.pledges[body.person]:
        raise Refused("seeds.other", person=body.person)
    shown = seeds.shown | {body.person: body.seed}
    events = (e.SeedShown(body.person, body.seed),)
    return (*events, _mixed(replace(seeds, shown=shown))) if len(shown) == len(seeds.pledges) else events


def close_seeds(table: Table, command: Command, body: c.CloseSeeds) -> Sequence[e.Event]:
    """The time is over: for pledges, or for the seeds that were pledged. Never earlier."""
    check_shoe(table)
    seeds = table.shoe.seeds
    if seeds is None or not table.settings.electronic:
        raise Refused("seeds.none")
    if command.at <= seeds.until:
        raise Refused("seeds.open")
    until = _until(table, command.at)
    if seeds.pledges and not seeds.due:
        return (e.SeedsDue(until),)
    if seeds.shown or table.settings.seeds != "required":
        return (_mixed(seeds),)
    if not seeds.pledges:
        raise Refused("seeds.nobody")
    # nobody has kept a pledge: it begins anew, without them
    return (e.SeedsAsked(until, tuple(seeds.pledges)),)


def new_shoe(table: Table, command: Command, body: c.NewShoe) -> Sequence[e.Event]:
    """A shoe comes into play; where seeds are promised, they are asked for at once."""
    started = lifetime.new_shoe(table, command, body)
    if table.settings.seeds == "none":
        return started
    if not _HEX_256.fullmatch(body.commitment):
        raise Refused("seeds.commitment")
    return (*started, e.SeedsAsked(_until(table, command.at)))


def check_promised(table: Table) -> None:
    """Refuse the first card, and bets, before the cut and the seeds that the table promises."""
    if table.shoe.seeds is not None:
        raise Refused("seeds.first")
    if cut_missing(table):
        raise Refused("cards.cut_first", table.procedures.cut_card.rule)


def cut_missing(table: Table) -> bool:
    """Whether the shoe waits for a cut that the table promises."""
    shoe = table.shoe
    return table.settings.cut == "required" and not (shoe.was_cut or shoe.drawn or shoe.ended)


def _until(table: Table, now: int) -> int:
    return now + 1000 * table.settings.seed_countdown


def _mixed(seeds: Seeds) -> e.ShoeMixed:
    kept = tuple(seeds.shown[person] for person in seeds.pledges if person in seeds.shown)
    return e.ShoeMixed(kept, tuple(person for person in seeds.pledges if person not in seeds.shown))


def _seeds(table: Table, command: Command, person: str) -> Seeds:
    """What is asked for; a seed is its player's alone, and nobody else can give it."""
    check_shoe(table)
    find_player(table, person)
    if command.actor != person and table.settings.electronic:
        raise Refused("electronic.person", table.procedures.staff_bets.rule, actor=command.actor, person=person)
    if table.shoe.seeds is None or not table.settings.electronic:
        raise Refused("seeds.none")
    return table.shoe.seeds


def _check_digits(text: str) -> None:
    if not _HEX_256.fullmatch(text):
        raise Refused("seeds.digits")
