"""The rulesets; the code of each reads like its rulebook.

Something is shared only where that makes each page shorter. Species, taking and losing food, and
extinction are not shared, because the books differ in substance; nor is the feeding loop of
`classroom`, which ends when nobody can eat, so it counts no passes; nor are the defences of
`origin`, which depend on the pair and on the turn.
"""
