"""What a game gives to a screen: the scene, and how its sentences are told to people."""
