"""What a paper is: OCR folders read into a `Document`, page by page and box by box."""
