"""What the home keeps to save time: views, and checkpoints of readers and the turn maker."""
