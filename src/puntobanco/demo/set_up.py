"""What is missing on the demo floor is put there: people, money on accounts, tables. The rest stays as it is."""

from __future__ import annotations

from urllib.parse import quote

from puntobanco.client import AsyncClient
from puntobanco.demo.bots import is_table_of
from puntobanco.demo.plan import CAGE, GUESTS, PASSWORD, TABLES, SignInPlan, bots
from puntobanco.floor.wire import Account, Brief, Money, PersonSeen


async def set_up(address: str, secret: str, speed: float) -> list[Brief]:
    """Everything that the plan has; the tables that are open then."""
    async with AsyncClient(address) as client:
        await client.sign_in(CAGE, secret)
        known = {person.name for person in await client.request("GET", "/api/people", list[PersonSeen])}
        for person, password in [(guest, PASSWORD) for guest in GUESTS] + [(bot, secret) for bot in bots()]:
            if person.name not in known:
                await _add(client, person, password)
        tables = await client.tables()
        for plan in TABLES:
            if not any(is_table_of(plan, brief.table) for brief in tables):
                await client.request("POST", "/api/tables", Brief, plan.opening(speed))
        tables = await client.tables()
        await client.sign_out()
        return tables


async def _add(client: AsyncClient, person: SignInPlan, password: str) -> None:
    await client.request("POST", "/api/people", PersonSeen, person.new(password))
    for currency, amount in person.money.items():
        path = f"/api/people/{quote(person.name, safe='')}/money"
        await client.request("POST", path, Account, Money(f"at first in {currency}", amount, currency))
