"""Rules of a world: what a story, a science, a workflow is made of, and when what is said of it cannot be."""
