"""Order files: read what people write, say where each error is, and write drafts."""
