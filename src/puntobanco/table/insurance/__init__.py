"""Insurance (readings F, G and T): offered between cards, taken up to its caps, forgone; missed, misplaced, and put
right in the record. When cards turn out to be others, it is priced anew.
"""
