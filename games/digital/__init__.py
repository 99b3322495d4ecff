"""Evolution as the app plays it, as differences from evolution."""
