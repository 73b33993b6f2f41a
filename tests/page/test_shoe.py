"""A player's own check of a shoe in the browser: the page gives a seed by itself, and believes no receipt."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import Route, expect
from tests.page.casino import wait_for
from tests.page.conftest import Crowd
from tests.patience import until

from puntobanco.floor.wire import Stop
from puntobanco.shoes.commit import ShoeSecret, write_order
from puntobanco.table import commands as c
from puntobanco.table.settings import ELECTRONIC


def answering(body: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(body=body, content_type="application/json")


def test_a_player_checks_a_shoe_in_the_browser(crowd: Crowd) -> None:
    casino = crowd.casino
    promises = {"seeds": "required", "cut": "required", "burn": "first_card"}
    table = casino.open_table("tiger-buffalo", shoe=False, automated=ELECTRONIC, **promises)
    ann = crowd.player(table, "ann", 1)
    until(lambda: "shoe_mixed" in casino.events(table), lambda: f"it came to {casino.events(table)[-3:]} only")
    assert "seed_shown" in casino.events(table), "the page has given one"

    async def stop() -> None:
        async with casino.house.client("pam", casino.server) as pam:
            await pam.request("POST", "/api/stops", list, Stop("table", table, "no more rounds"))

    wait_for(stop())
    casino.give(ann.person, table, c.CutShoe(ann.person, 77))
    until(lambda: "cards_burnt" in casino.events(table))
    casino.give("sam", table, c.EndShoe("to be checked"))
    ann.at("check-shoe").click()
    expect(ann.at("shoe")).to_have_attribute("data-holds", "true")
    for check in ("whole", "commitment", "pledges", "cards", "own_commitment", "own_seed"):
        expect(ann.at(f"check-{check}")).to_have_attribute("data-holds", "true")

    # a floor that lies: another card; and a receipt in which everything fits, but of another shoe
    address = f"**/api/tables/{table}/shoes/1"
    true = ann.page.request.get(f"{casino.address}/api/tables/{table}/shoes/1").json()
    card = {"cards": ["As" if true["receipt"]["cards"][0] != "As" else "Kc", *true["receipt"]["cards"][1:]]}
    secret = ShoeSecret.fresh(8)
    other = {
        "commitment": secret.commitment(true["receipt"]["book"]),
        "salt": secret.salt.hex(),
        "order": write_order(secret.order),
        "pledges": [],
        "cards": [],
    }
    for lie, seen in ((card, ("cards",)), (other, ("own_commitment", "own_seed"))):
        body = json.dumps({**true, "receipt": {**true["receipt"], **lie}})
        ann.page.route(address, answering(body))
        ann.page.reload()
        expect(ann.at("shoe")).to_have_attribute("data-holds", "false")
        wrong = ann.page.locator("li[data-holds=false]").evaluate_all("all => all.map(each => each.dataset.testid)")
        assert wrong == [f"check-{each}" for each in seen]
        ann.page.unroute(address)

    # a receipt that was kept is checked without the floor
    kept = {"name": "receipt.json", "mimeType": "application/json", "buffer": json.dumps(true).encode()}
    ann.at("shoe-file").set_input_files(kept)  # type: ignore[arg-type]
    expect(ann.at("shoe")).to_have_attribute("data-holds", "true")
