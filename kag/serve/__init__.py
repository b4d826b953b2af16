"""A corpus for people and programs: an HTTP API, and pages that show it.

    request -> shield (who, how much, from where) -> API (`/api/v1`) or page -> values of `kag` -> JSON or HTML
    upload  -> journal -> worker pool -> a process a job -> corpus

Read `kag/serve/app.py` first: it puts the parts together. What papers and people write is data: it is shown letter by
letter, is never a path, and nothing here fetches an address.
"""
