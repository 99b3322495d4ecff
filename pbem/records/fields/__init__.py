"""The fields of records: how to write and read each, and those that all records share."""
