"""The engines.  Each takes a transition system and monitors, and returns values; none prints."""
