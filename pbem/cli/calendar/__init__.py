"""The command `calendar`: write what is due in your games to a calendar file."""
