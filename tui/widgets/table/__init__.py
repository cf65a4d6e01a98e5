"""The regions of the table, one file each: a pure function draws it, a widget shows it and says what was pressed."""
