"""The page of `pbem --help`, and the examples of each command."""
