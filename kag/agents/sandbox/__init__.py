"""Where the code runs that a model writes."""
