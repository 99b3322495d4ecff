"""Draw what a ruleset's `scene` tells as SVG: the whole table, or one card, piece or fact.

Nothing here knows a game: names and numbers come from the scene, icons from the ruleset's
`drawings`. The markup has classes and no styles; `stylesheet()` is the style sheet for it.
"""
