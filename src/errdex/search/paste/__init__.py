"""What a pasted text is wrapped in, and how to take it off: escapes, boxes, prefixes, line breaks."""
