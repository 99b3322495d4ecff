"""Seats: who sits where and with which keys, as the notices that turns list have changed it."""
