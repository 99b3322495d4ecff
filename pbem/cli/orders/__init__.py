"""Your orders: `orders`, `check` and `submit`."""
