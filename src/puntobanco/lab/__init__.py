"""The laboratory: exact odds of many shoes at once, simulation, and what card counting is worth."""
