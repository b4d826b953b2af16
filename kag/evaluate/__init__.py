"""How right graphs and readings are: annotations, scores, intervals, planted faults, reports."""
