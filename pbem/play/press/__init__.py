"""Press: messages between people, separate from the game. No turn or rule depends on them."""
