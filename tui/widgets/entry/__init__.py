"""Widgets of the screens around the table: the menu, lists, forms, the waiting room."""
