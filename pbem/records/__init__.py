"""The records of pbem/1: contents, sealing, decks and dice, checks (protocol §3 to §5).

No module here opens a file.
"""
