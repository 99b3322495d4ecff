"""Files: game folders, whole-or-nothing writing, the private home. This package only reads and
writes."""
