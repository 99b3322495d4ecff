"""Stores beyond S3: each module is found by its entry point in the group `pbem.stores`."""
