"""Messages between people ("press"). No turn and no rule depends on them."""
