"""Scoring of answers: to exact questions, to questions on the text, to unanswerable ones."""
