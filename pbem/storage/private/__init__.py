"""The files of one person, outside the shared folder: keys, last heads, memory, cache, lock."""
