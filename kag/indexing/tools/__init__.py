"""What a builder, rule or model, may do to a graph."""
