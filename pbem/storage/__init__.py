"""Files: game folders, whole-or-nothing writing, what is mine. I/O and nothing else."""
