"""Read-only SPARQL over the graphs of a corpus, run by a worker without a network."""
