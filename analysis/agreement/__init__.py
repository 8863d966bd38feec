"""How far judges agree, and what single ones contribute."""
