"""What people see: proofs, figures and pictures of programs, as text, JSON, HTML and SVG. No arrays."""
