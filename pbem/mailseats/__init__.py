"""Seats whose players answer by plain email: what is written to them, and what they answer."""
