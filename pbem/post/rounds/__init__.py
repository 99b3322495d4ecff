"""One pass of `pbem run`: read new mail, look after games, send mail."""
