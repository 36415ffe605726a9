"""Motionary, the dictionary of movement."""
