"""The backend "musagraphs": the stand-in has no graphs of compiled code."""
