"""The servers: reading a mailbox (IMAP), sending (SMTP), and what is wrong with them, in words."""
