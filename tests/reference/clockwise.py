"""Players in clockwise order, for all second implementations."""


class Clockwise:
    """Has the letters of the seats in clockwise order, and the index of the first player."""

    seats: str
    first: int

    def order(self, seat: str = "") -> str:
        """Return all seats, from this one or from the first player on."""
        at = self.seats.index(seat) if seat else self.first
        return self.seats[at:] + self.seats[:at]
