"""A game as its records tell it: who may do what, readers, the referee, views, the audit."""
