"""Reports: sentences and lines for people, made from facts."""
