"""Evolution as the app plays it, written as changes to the printed game."""
