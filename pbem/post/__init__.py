"""The post: `pbem post` sets up a mailbox, and `pbem run` sends and receives mail automatically."""
