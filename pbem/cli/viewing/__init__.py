"""The commands that look at games: `log`, `since`, `audit`, `explain`, `games`."""
