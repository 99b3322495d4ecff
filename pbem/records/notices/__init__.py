"""Notices: public signed records that change who plays a game, or how it ends (protocol §5)."""
