"""Small wrong changes, one at a time: does any test notice?

`make mutants ARGS='pbem/format engine/sentences/legality.py'` (without ARGS: all modules in the
table) prints the result of each. `changes.py` makes the changes, with the operators of mutmut;
`folders_of_tests_by_module.py` says which tests are asked about which modules; `harmless.toml`
lists the changes that cannot matter, and why.
"""
