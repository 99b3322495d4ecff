"""Evolution: The Origin of Species (RightGames), a game of its own on the same kernel."""
