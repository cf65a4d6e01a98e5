"""Takes from a guest's process every right that it does not need, by means of the Linux kernel."""
