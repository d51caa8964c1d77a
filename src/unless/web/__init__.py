"""The page and the API: thin HTTP over the library. Needs the extra `unless[studio]`."""
