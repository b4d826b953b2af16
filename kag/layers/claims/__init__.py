"""What a paper claims: sentences with their role, what is denied or doubted in them, what they are about."""
