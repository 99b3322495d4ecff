"""Deadlines: the rules that a charter states in plain words, and the moments that follow."""
