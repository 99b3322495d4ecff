"""Messages between people: write them, and show them beside the game."""
