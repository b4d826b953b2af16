"""`/api/v1`: one table of operations (`OPERATIONS`) is the routes, what they check, and their document."""
