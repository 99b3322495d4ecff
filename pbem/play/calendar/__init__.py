"""Deadlines: read the rules that a charter states in plain words, and find the moments that they
give.
"""
