"""Write the text that people see in a terminal: the table, the log, orders and messages."""
