"""The command `advance`, which makes turns."""
