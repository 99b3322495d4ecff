"""Play by mail: open what came, file it, and find out what each person lacks."""
