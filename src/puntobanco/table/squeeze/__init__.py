"""The right to squeeze (readings P and Q): who may ask, who consents, who is barred."""
