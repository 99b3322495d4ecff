"""The post: a mailbox, letters, notifications, and the passes of `pbem run`."""
