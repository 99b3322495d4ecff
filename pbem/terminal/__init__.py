"""Texts for people in a terminal: the table, the log, errors."""
