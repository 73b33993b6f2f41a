"""A floor that is alive: six tables, one of each game, and bots that play, deal, err and rule through the client."""
