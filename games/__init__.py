"""The rulesets, each as code that reads like its rulebook."""
