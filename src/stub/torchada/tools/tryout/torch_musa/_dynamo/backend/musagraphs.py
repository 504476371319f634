"""The backend "musagraphs": the double has no graphs of compiled code."""
