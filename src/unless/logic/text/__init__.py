"""Programs as text: the grammar, reading, printing, and files."""
