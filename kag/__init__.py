"""kag: scientific papers become knowledge graphs that validate, trace and answer.

The public names are few on purpose; read `kag/write/story.py` first, then `kag/values/types.py`.
"""

__version__ = "0.1.0"
