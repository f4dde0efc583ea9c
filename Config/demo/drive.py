#!/usr/bin/env python3
"""Makes drive.nmea: a drive of 3.4 km along the invented road A1 of sample.csv.

usage: drive.py >drive.nmea
"""
import math
import random
import sys
from datetime import datetime, timedelta

random.seed(5)
# The sample's line: 0.0006 degrees north and 0.0007393 degrees east for each 100 m.
START, NORTH, EAST = (24.85, 121.77), 0.000006, 0.000007393


def sentence(body):
    checksum = 0
    for byte in body.encode():
        checksum ^= byte
    return f"${body}*{checksum:02X}"


def degrees(value, width, letters):
    whole, part = divmod(abs(value), 1)
    return f"{int(whole):0{width}d}{part * 60:08.5f},{letters[value < 0]}"


def epoch(time, metres, speed, noise):
    latitude = START[0] + NORTH * metres + random.gauss(0, noise) / 111_000
    longitude = START[1] + EAST * metres + random.gauss(0, noise) / 101_000
    place = f"{degrees(latitude, 2, 'NS')},{degrees(longitude, 3, 'EW')}"
    clock = time.strftime("%H%M%S.00")
    knots = speed * 3600 / 1852
    print(sentence(f"GPGGA,{clock},{place},1,09,0.9,25.0,M,15.0,M,,"))
    print(sentence(f"GPRMC,{clock},A,{place},{knots:.2f},48.2,{time:%d%m%y},,,A"))


print("# A drive along the invented road A1: made by drive.py, belongs to no real vehicle.")
time, metres, speed, waited = datetime(2026, 11, 30, 9, 0, 0), -250.0, 0.0, 0
while metres < 3_150:
    # 90 km/h, a stop of 40 s at the rest area at 1K+450, and a tunnel from 2K+020 to 2K+380.
    target = 25.0
    if 1_290 < metres < 1_450:
        target = max(0.0, 25 * (1_450 - metres) / 160) if waited == 0 else target
        if 1_450 - metres < 6:
            target = 0.0
    if target == 0.0:
        speed, waited = 0.0, waited + 1
        if waited > 40:
            metres += 10
    else:
        speed += max(-3.0, min(2.0, target - speed))
    metres += speed
    time += timedelta(seconds=1)
    if not 2_020 < metres < 2_380:
        epoch(time, metres, speed, 1.5)
sys.stdout.flush()
