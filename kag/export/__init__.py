"""A paper's parts, its reference list in the formats of reference managers, and its graph in other forms."""
