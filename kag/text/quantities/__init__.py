"""Measured values in text: numbers with bounds, ranges, uncertainties and units."""

from kag.text.quantities.find import find_quantities, read_quantity
from kag.text.quantities.parsing import Quantity
from kag.text.quantities.units import Unit, read_unit

__all__ = ["Quantity", "Unit", "find_quantities", "read_quantity", "read_unit"]
