"""Text that people write: TOML, dates, absences, names, concessions; and calendar files."""
