"""Mail servers: reading a mailbox (IMAP), sending (SMTP), and their errors in plain words."""
