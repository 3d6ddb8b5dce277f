"""Jobs for a process with limits: take memory, take time, or end."""

import ctypes

MEGABYTE = 2**20


def allocate(megabytes):
    return len(bytes(megabytes * MEGABYTE))


def spin():
    while True:
        pass


def crash():
    ctypes.string_at(0)
