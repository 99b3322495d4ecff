"""Tasks spread over processes or a cluster."""
