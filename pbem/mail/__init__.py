"""Games by mail: write bundles, and read them even if mail changed them. Uses no network."""
