"""How proofs, programs and figures look: text, HTML, JSON, pictures, the report."""
