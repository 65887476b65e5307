"""Reports on evaluated models: tables, figures, and a page on which single answers can be looked at."""
