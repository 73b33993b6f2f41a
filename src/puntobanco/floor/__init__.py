"""The floor: many tables and people at once, over HTTP and websockets."""
