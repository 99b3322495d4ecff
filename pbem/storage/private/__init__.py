"""One person's private files, outside game folders: keys, last heads, memory, cache, lock."""
