"""Read and write the fields of records; also the fields that all records share."""
