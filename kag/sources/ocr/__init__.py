"""OCR output of the DeepSeek kind: a folder of tagged pages, read page by page and box by box."""
