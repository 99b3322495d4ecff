"""Opening letters: MIME, HTML, zip and pasted text, within limits; the blocks that are in them."""
