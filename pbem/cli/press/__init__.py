"""Messages between people: writing them, and showing them beside the game."""
