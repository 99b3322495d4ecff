"""Turn by turn: `status`, `list` and `advance`."""
