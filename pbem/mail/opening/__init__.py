"""Opening letters: finding the blocks in MIME, HTML, zip and pasted text, within limits."""
