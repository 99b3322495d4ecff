"""Deadlines: read a charter's rules, which are in plain words, and compute the moments."""
