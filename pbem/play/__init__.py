"""Play a game through records: check orders, make turns, keep views, and audit the whole game."""
