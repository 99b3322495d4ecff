"""Making records: people and bots sign orders, the referee makes turns."""
