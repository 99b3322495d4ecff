"""The fields of records: how each is written and read, and those that all records share."""
