"""The commands `status` and `list`, which show the state of games."""
