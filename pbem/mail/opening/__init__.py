"""Open letters: find the blocks in MIME, HTML, zip and pasted text, within limits."""
