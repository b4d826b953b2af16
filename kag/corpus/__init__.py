"""Many papers in one folder that can be changed: one named graph a paper, and works that connect them.

A change is written down whole (`intent.json`) before anything is done about it, and each step can be done twice.
So a process that dies at any moment leaves a change that has not begun, or one that the next opening finishes.
"""
