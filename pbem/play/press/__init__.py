"""Messages between people ("press"), separate from the game: no turn or rule depends on them."""
