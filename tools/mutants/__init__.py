"""Small wrong changes, one at a time: does any test notice?

`make mutants ARGS='pbem/format engine/sentences/legality.py'` (without ARGS: all that the table
names) prints what became of them. What is changed how: `changes.py`, on the operators of mutmut.
Which tests are asked about which modules: `table.py`. What cannot matter, and why:
`harmless.toml`.
"""
