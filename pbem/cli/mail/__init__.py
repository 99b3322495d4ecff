"""The commands `send` and `receive`: play by email."""
