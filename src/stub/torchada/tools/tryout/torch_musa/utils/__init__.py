"""Building extensions."""

from .musa_extension import BuildExtension, MUSAExtension

__all__ = ["BuildExtension", "MUSAExtension"]
