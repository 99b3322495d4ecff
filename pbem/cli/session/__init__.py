"""What commands share: who you are, which game this is, what you may see and sign."""
