"""The fields of records: how to write and read each field, and the fields that all records
share."""
