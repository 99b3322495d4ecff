"""Evolution as a university course plays it: one sealed choice a turn, all food from the hole."""
