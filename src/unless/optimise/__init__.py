"""The flagship learner: one nested program of default rules, optimised as a whole (docs/unless-classifier.md)."""
