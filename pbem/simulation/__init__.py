"""Games of bots without files: playing them, and studies of many."""
