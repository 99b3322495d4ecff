"""Messages between people: the record, and the box of a private one (protocol §5, press)."""
