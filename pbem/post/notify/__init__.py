"""Notifications: where they go, which ones are due, and sending them through `apprise`."""
