"""Check a game: what everybody can check without a key, and what a seat can check with its key."""
