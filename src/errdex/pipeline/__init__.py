"""Joins the stages: trees to throw sites, throw sites to records."""

from errdex.pipeline.analyze import Analysis, analyze

__all__ = ["Analysis", "analyze"]
