"""A host: keeps game folders for others, who need not trust it."""
