"""Looking at games: `show`, `log`, `since`, `audit`, `explain`, `games`."""
