"""Text that people write: TOML with limits, odd characters, names that look alike, dates."""
