"""Sentences: text with hidden cards.

Their forms, which answers are legal, and orders given in advance.
"""
