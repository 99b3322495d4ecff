"""Games by mail: writing bundles, and reading them however mail changed them. No network."""
