"""Notices as files: reading them from a game folder, and writing new ones."""
