"""The rulesets; the code of each reads like its rulebook."""
