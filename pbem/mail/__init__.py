"""Games by mail: writing bundles, and reading them even if mail changed them. No network."""
