"""What strangers wrote, on its way to terminals and logs."""
