"""Evolution, as North Star Games published it (2nd edition)."""
