"""Commands that ask what graphs say."""
