"""How right answers are: to exact questions, to questions on the text, to those that have no answer."""
