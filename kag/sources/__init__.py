"""What a paper is, whatever it comes as: read into a `Document`, block by block and box by box."""
