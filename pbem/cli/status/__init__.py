"""The state of games: `status` and `list`."""
