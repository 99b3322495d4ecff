"""Evolution as a university course plays it: sealed choices, all food from the watering hole."""
