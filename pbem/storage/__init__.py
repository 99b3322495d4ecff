"""Read and write game folders and the private home.

Each file is written whole or not at all.
"""
