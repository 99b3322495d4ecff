"""Reading an order file: which sentence each line means, and every problem at its place."""
