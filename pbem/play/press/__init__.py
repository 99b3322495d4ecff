"""Press: messages of people to people, beside the game. No turn and no rule depends on them."""
