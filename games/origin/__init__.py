"""Evolution: The Origin of Species (RightGames), a separate game on the same engine."""
