"""A live floor: six tables, one of each game, and bots that play, deal, make mistakes and rule through the client."""
