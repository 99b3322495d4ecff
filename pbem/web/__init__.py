"""The server of `pbem table`, which shows your games in your own browser."""
