"""`/api/v1`: one table of operations (`kag.serve.api.operations`) is the routes, what they check, and their document."""
