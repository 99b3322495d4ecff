"""Reading an order file: which sentence each line means, and where each problem is."""
