"""The phases that Climate adds or changes."""
