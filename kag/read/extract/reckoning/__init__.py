"""What is not printed as such and can be reckoned from what is: changes, means, shares, extremes."""
