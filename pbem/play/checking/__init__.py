"""Check a game: what everybody can check without a secret, and what each seat can with its key."""
