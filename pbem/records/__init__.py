"""The records of pbem/1 (protocol §3 to §5): contents, sealing, chances, checks. Pure."""
