"""RDF: namespaces, vocabularies, shapes, and the workspace that holds a paper's graph."""
