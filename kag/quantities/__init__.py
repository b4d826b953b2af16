"""Measured values in text: numbers with bounds, ranges, uncertainties and units."""

from kag.quantities.find import find_quantities, read_quantity
from kag.quantities.reading import Quantity
from kag.quantities.units import Unit, read_unit

__all__ = ["Quantity", "Unit", "find_quantities", "read_quantity", "read_unit"]
