"""Order files: reading what people write, with the place of every error, and writing drafts."""
