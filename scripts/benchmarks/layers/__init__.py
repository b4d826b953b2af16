"""How right entities, measurements and claims are, against annotated texts.

A set is a folder of JSON lines (`rows.py`) and a module of the same name here with a function `figures`, from its
texts by file to figures (`figure.py`). `sets.py` lists them and puts folders to them.
"""
