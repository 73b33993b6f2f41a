"""The table: people, money and whole rounds of play, as a pure machine that cites its paragraphs."""
