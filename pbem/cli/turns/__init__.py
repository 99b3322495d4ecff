"""Making turns: `advance`."""
