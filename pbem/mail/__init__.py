"""Play by mail: write bundles, and read them even if mail programs changed them.

Nothing here uses the network.
"""
