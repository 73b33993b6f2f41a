"""The laboratory: what mathematicians, test labs and game designers ask of a game. It knows nothing of ``table``."""
