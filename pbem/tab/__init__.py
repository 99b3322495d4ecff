"""The table in a browser tab: what the page's worker asks of the program."""
