"""Currencies: their codes, and how many digits each counts after the point.

A table may be in a unit of its own making, with a code of the same shape; only a book's default must be a currency
that is in circulation, so that a slip of the pen is found.
"""

from __future__ import annotations

import re

from puntobanco.money import MINOR_DIGITS, format_amount

CODE = re.compile(r"[A-Z][A-Z0-9]{1,7}")
"""How a code is written."""

_OTHER_DIGITS = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
}
_TWO_DIGITS = """
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE
    CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR
    KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB
    PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY
    TTD TWD TZS UAH USD UYU UZS VES WST XCD YER ZAR ZMW ZWG
"""

CURRENCIES: dict[str, int] = dict.fromkeys(_TWO_DIGITS.split(), 2) | {
    code: digits for digits, codes in _OTHER_DIGITS.items() for code in codes.split()
}
"""The currencies in circulation by code (ISO 4217), with their digits after the point."""


def is_code(text: str) -> bool:
    """Whether a text has the form of a currency code."""
    return CODE.fullmatch(text) is not None


def digits_of(currency: str) -> int:
    """How many digits accounts in a currency count after the point; a house's own unit has as many as most."""
    return CURRENCIES.get(currency, MINOR_DIGITS)


def in_words(amount: int, currency: str) -> str:
    """An amount on an account: ``250.50 SGD``."""
    return f"{format_amount(amount, digits_of(currency))} {currency}"
