"""Money in the right currency: accounts over the network, the cage, and tables of two houses on one floor."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.floor.indoors import Indoors, code_of, indoors
from tests.floor.serving import MONEY, PASSWORD

from puntobanco.client import Client


@pytest.fixture(scope="module")
def house() -> Iterator[Indoors]:
    with indoors() as found:
        found.open_live("S1", currency="")
        found.open_live("H1", "dragon-tiger-commission", currency="")
        yield found


def balances(house: Indoors, name: str) -> dict[str, int]:
    account = house.must(name, "GET", "/api/account")
    assert account["person"] == name
    assert all(each["digits"] == 2 for each in account["balances"])
    return {each["currency"]: each["balance"] for each in account["balances"]}


def buy(house: Indoors, name: str, table: str, amount: int, id: str) -> str:
    """The code of the refusal, or nothing."""
    body = {"do": "buy_in", "person": name, "amount": amount, "source": "account"}
    answer = house.give(name, table, id, body)
    return "" if answer.status_code < 300 else code_of(answer)


def test_tables_open_in_the_currency_of_their_house(house: Indoors) -> None:
    found = {brief["table"]: (brief["currency"], brief["digits"]) for brief in house.must("ann", "GET", "/api/tables")}
    assert found == {"S1": ("SGD", 2), "H1": ("HKD", 2)}
    games = {game["game"]: game["currency"] for game in house.must("mia", "GET", "/api/games")}
    assert (games["super-six"], games["dragon-tiger-commission"]) == ("SGD", "HKD")


def test_a_buy_in_without_money_in_the_tables_currency_is_refused(house: Indoors) -> None:
    for table in ("S1", "H1"):
        assert house.give("ann", table, "sit", {"do": "join", "person": "ann", "box": 1}).status_code < 300
    assert balances(house, "ann") == {"SGD": MONEY}
    assert buy(house, "ann", "H1", 100_00, "b1") == "currency"
    assert balances(house, "ann") == {"SGD": MONEY}
    assert buy(house, "ann", "S1", 100_00, "b1") == ""
    cashed = house.give("ann", "S1", "c1", {"do": "cash_out", "person": "ann", "amount": 100_00})
    assert cashed.status_code < 300
    assert buy(house, "ann", "H1", 100_00, "b2") == "currency"

    money = {"id": "cage 1", "amount": 70_00, "currency": "HKD"}
    account = house.must("mia", "POST", "/api/people/ann/money", money)
    assert {each["currency"]: each["balance"] for each in account["balances"]} == {"HKD": 70_00, "SGD": MONEY}
    assert buy(house, "ann", "H1", 100_00, "b3") == "funds"
    assert buy(house, "ann", "H1", 70_00, "b4") == ""
    assert balances(house, "ann") == {"HKD": 0, "SGD": MONEY}


def test_the_cage_and_the_pit_know_each_currency(house: Indoors) -> None:
    path = "/api/people/bob/money"
    house.must("mia", "POST", path, {"id": "1", "amount": 5_00, "currency": "JPY"})
    for body, says in (
        ({"id": "2", "amount": -6_00, "currency": "JPY"}, "there are 500 JPY on the account"),
        ({"id": "2", "amount": -1, "currency": "USD"}, "there are 0.00 USD on the account"),
        ({"id": "1", "amount": 5_00, "currency": "USD"}, "was of 500 JPY for bob"),
        ({"id": "2", "amount": 1, "currency": "usd"}, "a code in capital letters, as in SGD"),
        ({"id": "2", "amount": 1}, "currency"),
    ):
        answer = house.ask("mia", "POST", path, body)
        assert answer.status_code in (400, 409), answer.text
        assert says in answer.text
    people = {person["name"]: person for person in house.must("mia", "GET", "/api/people")}
    assert people["bob"]["balances"] == [
        {"currency": "JPY", "digits": 0, "balance": 5_00},
        {"currency": "SGD", "digits": 2, "balance": MONEY},
    ]
    posted = [(entry["before"], entry["after"]) for entry in house.entries("money posted") if entry["about"] == "bob"]
    assert [each for each in posted if "JPY" in each[1]] == [("0 JPY", "500 JPY")]


def test_a_table_that_counts_otherwise_does_not_open(house: Indoors) -> None:
    with pytest.raises(AssertionError, match="digits 2: accounts in JPY have 0 after the point"):
        house.open_live("J1", currency="JPY", digits=2)
    house.open_live("J1", currency="JPY")


def test_a_client_asks_for_one_currency(house: Indoors) -> None:
    with Client(house.address) as client:
        client.sign_in("cat", PASSWORD)
        account = client.account()
        assert (account.holds("SGD"), account.holds("HKD")) == (MONEY, 0)
