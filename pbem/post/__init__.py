"""The post: `pbem post` sets a mailbox up, and `pbem run` lets mail come and go automatically."""
