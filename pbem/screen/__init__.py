"""Make the text that people see: the table, the log and answers, as a terminal can show them."""
