"""Where a command finds its game: a folder on a disk, or an address of a store."""
