"""What a user types: the options of each command, and the two readers of a command line."""
