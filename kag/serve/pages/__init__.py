"""The pages: HTML that reads without a script, made from the values of the API; scripts add to it what moves."""
