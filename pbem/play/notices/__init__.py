"""Notices as files: read them from a game folder, and write new ones."""
