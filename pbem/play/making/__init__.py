"""Make records: people and bots sign orders, and the referee makes turns."""
