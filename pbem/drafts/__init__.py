"""Order files as people write them: read with every error at its place, and written to teach."""
