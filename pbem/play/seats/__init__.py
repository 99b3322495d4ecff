"""Seats: who has which seat and which keys, and how notices change this."""
