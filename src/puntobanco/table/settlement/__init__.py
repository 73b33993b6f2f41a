"""The result and the money: announced, taken and paid, confirmed, and the round's end; a round without a result. A
round that was settled may be settled again by difference, and what cannot be collected is a debt.
"""
