"""Kernels to machine code: Python functions on arrays in, addresses out."""
