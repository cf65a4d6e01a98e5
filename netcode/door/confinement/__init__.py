"""Takes every right from the process of a guest but the few it needs: Linux, by the kernel's own means."""
