"""What a paper says: the entities it names, what it measured of them, and what it claims."""
