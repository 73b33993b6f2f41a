"""Disputes (reading V): raised, taken to the Pit Manager, decided on named grounds, accepted or not."""
