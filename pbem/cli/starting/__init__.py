"""The commands before the first turn: `new` makes a game, `join` takes a seat."""
