"""Acts shared by commands, browser table and post: everything that a person does in a game."""
