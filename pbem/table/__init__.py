"""`pbem table`: your games in your own browser, as a second face of the same commands.

A small server on this computer shows pages and does what is clicked, by calling what the commands
call. It has no rules, no file format and no cryptography of its own.
"""
