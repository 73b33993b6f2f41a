"""The shoe from its shuffle to its last round: cut, burn, Cut Card, change. Also what can be wrong with its cards, and
the players' choice after a burn that was forgotten.
"""
