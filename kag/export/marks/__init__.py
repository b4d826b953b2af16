"""What the layers say of a paper, as marks in its texts."""
