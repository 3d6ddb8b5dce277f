"""What the operating system has a say in: files, storage, signals, processes, what is installed."""
