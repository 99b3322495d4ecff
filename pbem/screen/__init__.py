"""What people see: the table, the log, answers, in words and colours a terminal can show."""
