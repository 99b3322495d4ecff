"""`pbem table`: your games in your own browser.

A small server on this computer shows pages and does what you click; it calls the same code as the
commands. It has no rules, no file format and no cryptography of its own.
"""
