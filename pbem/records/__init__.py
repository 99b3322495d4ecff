"""The records of pbem/1: their contents and checks (protocol §5 to §9)."""
