"""The caches in the home that save time: views, and checkpoints of readers and the turn maker."""
