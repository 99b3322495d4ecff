"""Text that people write: TOML, dates, names, absences, calendars."""
