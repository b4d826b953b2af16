"""Measurements: quantities of running text and of tables, with what was measured of what."""

from kag.layers.measurements.find import find_measurements

__all__ = ["find_measurements"]
