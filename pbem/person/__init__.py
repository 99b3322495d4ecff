"""A person and a game: keys and roles, what this machine saw, what the person may see or make."""
