"""Scoring of graphs and answers: annotations, scores, intervals, planted faults, reports."""
