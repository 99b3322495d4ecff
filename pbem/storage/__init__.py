"""Files: game folders, whole-or-nothing writing, the private home. It only reads and writes."""
