"""What commands share: your keys, the game here, who you are in it, what you may see and sign."""
