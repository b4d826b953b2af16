"""What trains the small model that judges claims: pairs that are made, and the network."""
