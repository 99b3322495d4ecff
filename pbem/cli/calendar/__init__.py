"""What is due and when: deadlines in words, reminders, and `calendar`."""
