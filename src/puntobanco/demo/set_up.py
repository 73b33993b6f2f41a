"""What is missing on the demo floor is put there: people, money on accounts, tables. The rest stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from puntobanco.client import AsyncClient
from puntobanco.demo.bots import is_table_of
from puntobanco.demo.plan import CAGE, PASSWORD, TABLES, SignInPlan, TablePlan, bots, guests
from puntobanco.floor.wire import Account, Brief, Money, PersonSeen


async def set_up(address: str, secret: str, speed: float, plans: Sequence[TablePlan] = TABLES) -> list[Brief]:
    """Everything that the plan has; the tables that are open then."""
    async with AsyncClient(address) as client:
        await client.sign_in(CAGE, secret)
        known = {person.name: person for person in await client.request("GET", "/api/people", list[PersonSeen])}
        people = [(guest, PASSWORD) for guest in guests(plans)] + [(bot, secret) for bot in bots(plans)]
        for person, password in people:
            if person.name not in known:
                await client.request("POST", "/api/people", PersonSeen, person.new(password))
            await _money(client, person, known.get(person.name))
        tables = await client.tables()
        for plan in plans:
            if not any(is_table_of(plan, brief.table) for brief in tables):
                await client.request("POST", "/api/tables", Brief, plan.opening(speed))
        tables = await client.tables()
        await client.sign_out()
        return tables


async def _money(client: AsyncClient, person: SignInPlan, known: PersonSeen | None) -> None:
    """What is on the account to begin with, also in a currency that a later start has brought."""
    had = {each.currency for each in known.balances} if known else set()
    for currency, amount in person.money.items():
        if currency in had:
            continue
        path = f"/api/people/{quote(person.name, safe='')}/money"
        await client.request("POST", path, Account, Money(f"at first in {currency}", amount, currency))
