"""The post: a mailbox, letters, notifications, and the rounds of `pbem run`."""
