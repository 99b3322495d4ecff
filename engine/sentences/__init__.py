"""Sentences: text with hidden cards.

This package has the forms of sentences, says which answers are legal, and reads order lines.
"""
