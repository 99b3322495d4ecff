"""The records of pbem/1: their contents and checks (protocol §3 to §5)."""
