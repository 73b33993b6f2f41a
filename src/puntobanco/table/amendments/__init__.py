"""Amendments: the record went wrong, the felt did not. An entry is put right, the round is played again with what people
asked and did, and the money moves by the difference. Nobody gets options by that, and it is no irregularity.
"""
