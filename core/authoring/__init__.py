"""For pack authors: lint, mutation test, pack template, the catalogue of clauses."""
