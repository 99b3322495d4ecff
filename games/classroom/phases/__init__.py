"""The phases of the course's game."""
