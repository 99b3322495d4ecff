"""Files: a folder on a disk or in a store, whole writes, and the private home."""
