"""What all commands share: your keys, the game here, your seat in it, and your view of it."""
