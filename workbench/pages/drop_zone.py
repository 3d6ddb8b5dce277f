"""A place to drop a file: what it says."""


def text(megabytes):
    """What the place asks for."""
    return f"Drop a CSV or LIBSVM file here, or press to choose one; at most {megabytes} MB"
