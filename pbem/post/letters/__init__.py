"""Mail messages: what pbem writes, what kind comes in, and the outbox."""
