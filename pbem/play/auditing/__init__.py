"""Auditing a whole game from its folder, and the attacks that the audit was tried with."""
