"""The sandbox in which model-written code runs."""
