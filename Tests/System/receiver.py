#!/usr/bin/env python3
"""A GPS receiver: sends a file's sentences by UDP, an epoch of two at a time.

usage: receiver.py FILE [FIRST-EPOCH LAST-EPOCH]
"""
import socket
import sys
import time

lines = open(sys.argv[1], "rb").read().splitlines()
epochs = [b"\r\n".join(lines[i : i + 2]) + b"\r\n" for i in range(0, len(lines), 2)]
if len(sys.argv) > 2:
    epochs = epochs[int(sys.argv[2]) : int(sys.argv[3])]
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for epoch in epochs:
    sender.sendto(epoch, ("127.0.0.1", 5555))
    time.sleep(0.015)  # gpsd tells epochs apart by their pace, too
