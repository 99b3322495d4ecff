"""Sentences: text with hidden cards, forms, which answers are legal, orders given ahead."""
