"""What commands, browser table and post share: a person, a game, and all that they do."""
