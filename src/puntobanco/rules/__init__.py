"""Rule books as data: the model, the strict loader and the six games."""
