"""The table's money beside the play: opening float and closing count, buy-ins and cash-outs, chips walking in and out,
tips, fills and credits. The names of all accounts are here, too.
"""
