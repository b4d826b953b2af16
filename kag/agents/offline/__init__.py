"""The offline policy's rules: plain Python in the subset the sandbox runs, over the slim `blocks` of the prompt.

These files are never called by kag. The policy sends their text into the sandbox, as a model sends code
it wrote; so they import `re` and nothing of kag, and see only what every agent sees.
"""
