"""A person's own files, outside the shared folder: keys, last heads, memory, cache, lock."""
