"""What one pass of `pbem run` does: mail that came, games, mail to send."""
