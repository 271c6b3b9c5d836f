"""Drives, scores and recordings as tables of pandas (`pip install pandas`); nothing else of this package needs it.

Columns have the names of the files, which end in their units: seconds of the drive's own clock, metres, degrees, SI.
"""

import json
import os
import subprocess
import tempfile

import pandas

__all__ = ["drive", "outages", "recording", "scores"]


def drive(folder):
    """The tables of a drive folder by name (`imu`, `gnss`, `wheel`, `barometer`, `truth`, `receiver`, `sky`: those that there are).

    Where drive.json has `start_utc`, each row has its time in UTC as `utc` too. drive.json is in `attrs["drive"]` of each.
    """
    with open(os.path.join(folder, "drive.json"), encoding="utf-8") as file:
        description = json.load(file)
    tables = {}
    for name in ("imu", "gnss", "wheel", "barometer", "truth", "receiver", "sky"):
        path = os.path.join(folder, name + ".csv")
        if not os.path.exists(path):
            continue
        table = pandas.read_csv(path)
        if description.get("start_utc"):
            start = pandas.Timestamp(description["start_utc"])
            table["utc"] = start + pandas.to_timedelta(table["time_s"], unit="s")
        table.attrs["drive"] = description
        tables[name] = table
    return tables


def scores(path):
    """The JSON of `reckon evaluate --json`: a row a drive and estimator, figures by name, as `horizontal_error_m.p95`."""
    return pandas.json_normalize(
        [
            {"drive": one["drive"], "estimator": name, "duration_s": one["duration_s"], "distance_m": one["distance_m"], **figures}
            for one in _drives(path) for name, figures in one["estimators"].items() if figures is not None
        ])


def outages(path):
    """The outages of the same JSON: a row a drive and length, figures by name, as `end_error_m.p95`."""
    rows = [
        {"drive": one["drive"], **{key: value for key, value in outage.items() if key != "windows"}}
        for one in _drives(path) for outage in one["outages"]
    ]
    return pandas.json_normalize(rows)


def recording(folder, program="reckon", session=None, within=600.0):
    """The tables of what `reckon record` kept, as of a drive, and as `track` what the engine said live, to the bit.

    `program` makes them, in a folder that is deleted after. Raises `subprocess.CalledProcessError`, whose `stderr` says why it cannot,
    and `subprocess.TimeoutExpired` where that takes longer than `within` seconds.
    """
    which = [] if session is None else ["--session", str(session)]
    with tempfile.TemporaryDirectory(prefix="reckon-") as made:
        sensors, track = os.path.join(made, "drive"), os.path.join(made, "track.csv")
        for command in (["import", "recording", folder, "--output", sensors],
                        ["replay", folder, "--output", track, "--format", "csv-exact"]):
            subprocess.run([program, *command, *which], check=True, capture_output=True, text=True, timeout=within)
        tables = drive(sensors)
        tables["track"] = pandas.read_csv(track)
        if "utc" in tables["track"]:
            tables["track"]["utc"] = pandas.to_datetime(tables["track"]["utc"])
    return tables


def _drives(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)
