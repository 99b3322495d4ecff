"""Read an order file: find which sentence each line means, and where each problem is."""
