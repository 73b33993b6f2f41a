"""``puntobanco verify-shoe``: a player's own check of a shoe, from its receipt alone."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from puntobanco.cli.common import AsJson, check_named, option, read_file
from puntobanco.cli.render import console, print_json, styled


def verify_shoe(
    receipt: Annotated[
        str, Parameter(metavar="RECEIPT", allow_leading_hyphen=True, help="A shoe's receipt; - reads the input.")
    ],
    /,
    *,
    commitment: Annotated[
        str | None, Parameter(metavar="HEX", help="What the table published before the first card, as you saw it.")
    ] = None,
    seed: Annotated[
        list[str] | None, Parameter(metavar="HEX", negative=(), help="A seed of yours, which must be among them.")
    ] = None,
    key: Annotated[
        str | None, Parameter(metavar="PUB", help="The house's public key, in PEM, from where you trust it.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Check a shoe by its receipt: the order that was committed to, the players' seeds, the cuts, every card.

    The exit code is 1 if anything is wrong and 2 if the receipt cannot be read. It needs no server and trusts none.
    Give --commitment and --seed, what you saw and chose yourself; without them only the receipt's consistency is
    checked.
    """
    from puntobanco.shoes.commit import CommitmentError
    from puntobanco.shoes.receipt import SIGNED, check_receipt, parse_receipt
    from puntobanco.store.keys import load_public_key

    with option("--key"):
        if key is not None:
            check_named(key)
        trusted = load_public_key(key) if key is not None else None
    signed = parse_receipt(read_file(receipt))
    found = signed.receipt
    wrong = ""
    try:
        check_receipt(found)
        if commitment is not None and commitment.lower() != found.commitment:
            wrong = f"you saw the commitment {commitment}, and the receipt has {found.commitment}"
        for each in seed or ():
            if each.lower() not in found.seeds:
                wrong = f"your seed {each} is not among those that mixed the shoe"
        if trusted is not None and not _is_signed(signed.key, signed.signature, SIGNED + bytes(found), trusted.hex):
            wrong = f"the receipt is not signed by the key {trusted.fingerprint}"
    except CommitmentError as error:
        wrong = str(error)
    named = sum(card is not None for card in found.cards)
    if json:
        document = {"table": found.table, "shoe": found.shoe, "ok": not wrong, "problem": wrong or None}
        counts = {"seeds": len(found.seeds), "cuts": len(found.cuts), "cards": len(found.cards), "named": named}
        print_json({"file": receipt, **document, **counts, "signed": trusted is not None and not wrong})
    else:
        out = console()
        out.print(styled(f"{receipt}: ", "bold") + f"table {found.table}, shoe {found.shoe}", soft_wrap=True)
        if wrong:
            out.print(styled("✗ ", "bold red") + wrong, soft_wrap=True)
        else:
            passed = [
                "the order is whole, and the one that was committed to",
                f"{len(found.seeds)} of {len(found.pledges)} pledged seeds shown, which mix it",
                f"{len(found.cuts)} cuts, and {named} of {len(found.cards)} cards named, each in its place",
                *(["it is signed by the trusted key"] if trusted is not None else []),
            ]
            for line in passed:
                out.print(styled("✓ ", "green") + line, soft_wrap=True)
            if commitment is None:
                out.print(styled("! ", "yellow") + "compare the commitment with what you saw before the first card:")
                out.print(f"  {found.commitment}", soft_wrap=True)
            if not found.seeds:
                out.print(styled("! ", "yellow") + "no player's seed mixed it: the House alone has shuffled")
    if wrong:
        raise SystemExit(1)


def _is_signed(key: str, signature: str, message: bytes, trusted: str) -> bool:
    from puntobanco.store.keys import PublicKey

    try:
        return key == trusted and PublicKey.from_hex(key).signed(message, bytes.fromhex(signature))
    except ValueError:
        return False
