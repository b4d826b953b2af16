"""Makes the papers of `test_data/`: one source gives pages, pictures, boxes, gold and questions, so they agree."""
