"""A paper's reference list, in the formats of reference managers."""
