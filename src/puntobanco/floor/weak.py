"""Passwords and PINs that are guessed first, and names that nobody could tell apart."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

SHORTEST_PASSWORD = 8
SHORTEST_PIN = 4
LONGEST = 256
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are drawn as nothing."""

_WORDS = """
11223344 12341234 123123123 12345678910 1234qwer 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc 987654321a a1b2c3d4
a1234567 aa123456 abc12345 abcd1234 administrator asdf1234 asdfasdf asdfghjk asdfghjkl baccarat baseball basketball
blackjack bismillah butterfly casino123 casinocasino changeme changeit charlie1 cheese123 chocolate computer
corvette croupier dealer123 december default1 dragon123 dragontiger elephant einstein football football1 freedom1
friends1 gambling gfhjkm123 goldfish guest123 hello123 hellohello helloworld iloveyou iloveyou1 iloveyou2 internet
jennifer jessica1 jordan23 killer123 letmein1 letmein123 liverpool login123 love1234 lovelove lucky888 macau888
manchester master123 michael1 michelle midnight monkey123 mustang1 mynameis nothing1 november operator p@ssw0rd
p@ssword pa55word pass1234 passpass passw0rd password password1 password12 password123 password1234 passwort
password! pitmanager pokemon1 poker123 princess princess1 puntobanco q1w2e3r4 qazwsxedc qazwsx123 qwe12345 qweasdzxc
qwer1234 qwerty12 qwerty123 qwerty1234 qwertyui qwertyuiop rainbow1 roulette samantha secret123 security september
shadow123 singapore starwars sunshine sunshine1 superman superman1 supersix surveillance swordfish test1234 testtest
tiger123 tigger123 trustno1 username vegas777 victoria vietnam1 welcome1 welcome123 whatever winner123 zaq12wsx
zaq1zaq1 zxcvbnm1 zxcvbnm123 zxcvbnmm
"""
COMMON = frozenset(_WORDS.split())
"""Passwords of eight characters and more that stand at the top of every list of guesses, and words of this trade."""


def weak_password(password: str, name: str) -> str:
    """What is wrong with a password; empty where nothing is."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST:
        return f"a password has {SHORTEST_PASSWORD} to {LONGEST} characters"
    plain = password.casefold()
    if plain in COMMON or plain.rstrip("0123456789!.?") in COMMON or _is_run(plain) or len(set(plain)) < 4:
        return "this password is one of those that are guessed first: choose another"
    if len(name) > 2 and name.casefold() in plain:
        return "a password does not contain the name of its owner"
    return ""


def weak_pin(pin: str) -> str:
    """What is wrong with a PIN; empty where nothing is."""
    if not SHORTEST_PIN <= len(pin) <= LONGEST:
        return f"a PIN has {SHORTEST_PIN} to {LONGEST} characters"
    if len(set(pin)) == 1 or _is_run(pin):
        return "this PIN is one of those that are guessed first: choose another"
    return ""


def _is_run(text: str) -> bool:
    """Signs that follow each other, up or down: 12345678, dcba."""
    steps = {ord(after) - ord(before) for before, after in pairwise(text)}
    return steps in ({1}, {-1})


def is_visible(name: str) -> bool:
    """Whether every sign of a name is drawn, and some of them are letters or digits."""
    categories = [unicodedata.category(sign)[0] for sign in name]
    drawn = all(
        sign not in BLANK and (kind in "LNPS" or sign == " ") for sign, kind in zip(name, categories, strict=True)
    )
    return drawn and any(kind in "LN" for kind in categories) and "  " not in name
