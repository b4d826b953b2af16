"""Attacks on kag, a kind a module: hostile files, queries and answers, made from a seed.

A module has `KIND` (what is attacked, in a few words), `CASES` (how many a long run tries), and
`attack(random, cases, work)`, which tries so many in the empty folder `work` and yields a `Case` for each. What is
sent over a network goes to this machine's loopback only. Paths lead to a victim inside `work`, to devices or to
nowhere, never to what anybody needs: kag may have lost a rule, and would then do what an attack asks for.
`scripts/attack` runs all kinds and prints the table; `tests/property/test_attacks.py` runs a few cases of each.
"""
