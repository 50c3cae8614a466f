"""The model changed on purpose, one rule or one line at a time, and what that does to each property."""
