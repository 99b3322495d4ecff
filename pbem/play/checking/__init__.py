"""Checking a game: what everybody can check without a secret, and each seat with its key."""
