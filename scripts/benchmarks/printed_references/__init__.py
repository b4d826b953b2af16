"""What the labeller of references is trained on: labelled strings, and what is made of them."""
