"""The game as it is played through records: orders checked, turns made, views kept, all audited."""
