"""The phases of Evolution, in the order of the rulebook."""
