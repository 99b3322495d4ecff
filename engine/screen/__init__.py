"""What a ruleset supplies for a screen: the scene, and prose for its sentences."""
