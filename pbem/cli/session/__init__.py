"""What all commands share: your keys, the game in the folder, your seat and your view of it."""
