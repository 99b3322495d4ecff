"""Rule cases: each has a position, the answers given, and the offers, refusals and results to
expect.

The format is for players (docs/rule-cases.md). Each file says which game it is about.
"""
