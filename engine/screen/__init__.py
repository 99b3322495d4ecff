"""What a game gives to a screen: the scene, and prose for its sentences."""
