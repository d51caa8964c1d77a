"""The page and the API: thin HTTP over the library. They need the extras `unless[studio]` and `unless[serve]`."""
