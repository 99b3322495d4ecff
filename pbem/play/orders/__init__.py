"""Orders: what is wrong with their lines, which line fits what is asked, which orders count."""
