"""Text that people write: TOML, dates, names, concessions; and calendar files."""
