"""Find the game of a command: a folder on a disk, or an address of a store."""
