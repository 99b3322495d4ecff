"""What a game gives to a screen: the scene, and how sentences are told."""
