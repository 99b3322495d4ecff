"""Everything that people see and read: the scene, the prose, the texts of `explain`."""
