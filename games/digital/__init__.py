"""Evolution as the app plays it: the differences from evolution."""
