"""What everybody can check of a game without a secret, and what each seat checks with its key."""
