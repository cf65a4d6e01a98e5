"""The pages of the rule book, each as a table of named steps."""
