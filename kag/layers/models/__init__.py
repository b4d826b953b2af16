"""Small models that the layers share: read from a file with its card, run without any library."""
