"""Notifications: where to send them, which ones are due, and sending them through `apprise`."""
