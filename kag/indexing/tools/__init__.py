"""The tools by which a builder, rule or model, changes a graph."""
