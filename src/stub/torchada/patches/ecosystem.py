"""Libraries that ask for CUDA in ways of their own."""
