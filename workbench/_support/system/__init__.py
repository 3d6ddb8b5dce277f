"""Services of the operating system: files, storage, signals, processes, what is installed."""
