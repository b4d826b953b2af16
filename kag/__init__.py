"""kag: scientific papers become knowledge graphs that validate, trace and answer.

The public names are few on purpose; read `kag/write.py` first, then `kag/types.py`.
"""

__version__ = "0.1.0"
