"""The deputy: the keys of the deputy, the secrets they get, and the first turn that they sign."""
