"""Search in a weighted pose space: fast and forgiving, through one characteristic pose (Forbes & Fiume 2005)."""
