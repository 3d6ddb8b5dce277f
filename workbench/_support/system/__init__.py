"""What the operating system has a say in: files, storage, signals, processes, what is installed.

Two fifths of the lines run calls in processes that are killed at a limit of time or memory, and share these
among visitors; a third keeps files whole, and folders that go with their process.
"""
