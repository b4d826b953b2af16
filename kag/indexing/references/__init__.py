"""The parts of reading one printed reference: clean text, identifiers, place in a volume, title, imprint, kind."""
