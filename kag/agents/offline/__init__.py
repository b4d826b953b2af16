"""The offline policy: the loops of all agents driven without a model, by code that a model could have written."""
