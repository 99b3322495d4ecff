"""How a game stands: `status` and `list`."""
