"""The steps of a plan: from a question to seeds, to what is near them, to one order."""
