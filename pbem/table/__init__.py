"""The server of `pbem table`, which shows your games in your own browser.

This small server on your computer shows pages and does what you click; it calls the same code as
the commands. It has no rules, no file format and no cryptography of its own.
"""
