"""The deadline of a turn in words, and reminders."""
