"""Evolution: Climate, written as differences from `evolution`."""
