"""Evolution as the app plays it, made from the printed game by changing it."""
