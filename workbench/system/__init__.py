"""What the operating system has a say in: files, storage, signals, time, what is installed."""
