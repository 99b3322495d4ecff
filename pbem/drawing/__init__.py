"""Draw a ruleset's `scene` as SVG: the whole table, or one card, piece or fact.

This package knows no game: names and numbers come from the scene, icons from the ruleset's
`drawings`. The markup has classes but no styles, which are in `stylesheet()`.
"""
