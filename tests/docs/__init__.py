"""Tests that compare the documents with the tree."""
