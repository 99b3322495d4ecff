"""The deputy: their keys, the secrets that they get, and the first turn that they sign."""
