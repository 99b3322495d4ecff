"""The bytes of protocol pbem/1: canonical TOML, hashes, signatures, keys, boxes, mail blocks."""
