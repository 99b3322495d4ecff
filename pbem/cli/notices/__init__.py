"""The commands that write notices: to concede, to agree on an end, to change keys and seats."""
