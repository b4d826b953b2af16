"""Pages without text, read from their pictures."""
