"""Mail messages: what pbem writes, what arrives, and the outbox."""
