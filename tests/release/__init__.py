"""What a release is made of: the lock of its dependencies, the audit, the wheel."""
