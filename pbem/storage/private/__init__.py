"""What is mine, outside the shared folder: the home with keys, last heads, memory, cache, lock."""
