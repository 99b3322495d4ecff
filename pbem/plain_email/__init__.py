"""Seats by mail, whose players answer by plain email: what pbem writes, and what they answer."""
