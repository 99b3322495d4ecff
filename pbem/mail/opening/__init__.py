"""Open what came by mail: find the blocks in emails, HTML, zip files and pasted text.

The work has limits, because anyone can send mail.
"""
