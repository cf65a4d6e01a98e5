"""For pack authors: lint, mutation test, pack template, the uses of a card, the catalogue of clauses."""
