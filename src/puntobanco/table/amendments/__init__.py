"""Amendments: the record went wrong, the felt did not. An entry is put right, and the round is played again with what
people asked and did; the money moves by the difference. That gives nobody options, and is no irregularity.
"""
