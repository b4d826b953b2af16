"""What stands before every request: who asks, from where, and how much."""
