"""Open what came by mail: find the blocks in emails, HTML, zip files and pasted text, within
limits.
"""
