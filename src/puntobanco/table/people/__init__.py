"""Who is at the table: staff with their ranks, players at boxes or behind them. Somebody may also walk away from bets,
and come back.
"""
