"""What people read in a terminal: the table, the log, errors."""
