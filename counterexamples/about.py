"""What this program is, and which rules it follows."""

from typing import Final

__all__ = ["EDITION", "VERSION"]

VERSION: Final = "0.1.0"
EDITION: Final = "Comprehensive Rules of 17 April 2026"
