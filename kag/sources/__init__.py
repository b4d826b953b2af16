"""Sources: a paper of any format is read into a `Document`, block by block and box by box."""
