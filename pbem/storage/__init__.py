"""Files: read and write game folders and the private home.

A file is written whole or not at all.
"""
