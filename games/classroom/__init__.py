"""Evolution as a university course plays it: sealed choices, and all food from the watering
hole."""
