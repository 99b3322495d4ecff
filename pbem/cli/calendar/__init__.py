"""What is due in your games, as a calendar file: `calendar`."""
