"""Evolution: Climate, as differences from evolution."""
