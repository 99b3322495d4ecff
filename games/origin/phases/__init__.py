"""The phases of The Origin of Species, in the order of the rulebook."""
