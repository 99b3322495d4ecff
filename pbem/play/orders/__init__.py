"""Orders: which lines are wrong, which lines match what is asked, and which orders count."""
