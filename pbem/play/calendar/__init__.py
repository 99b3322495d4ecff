"""Deadlines: read the rules in a charter, which are in plain words, and compute the deadlines."""
