"""The card language: its types, the compiler, and the catalog of loaded cards."""
