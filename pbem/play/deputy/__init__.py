"""The deputy: their keys, the secrets they get, and the first turn that they sign."""
