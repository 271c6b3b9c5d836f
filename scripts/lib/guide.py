"""The commands of the bring-up guide, run as they stand there: guide.py FOLDER. See scripts/guide-test."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tty

guide = {page.stem: page.read_text() for page in pathlib.Path(sys.argv[1]).glob("*.md")}
left_out = []
failures = []


def command(page, beginning):
    """The one line of the blocks of a page that begins so: what is tried is what the guide says."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", guide[page], re.S | re.M)
    found = [
        line
        for kind, block in blocks
        if not kind
        for line in block.splitlines()
        if line.startswith(beginning)
    ]
    if not found:
        raise SystemExit(f"error: {page}.md has no command that begins with '{beginning}'")
    return found[0]


def fact(what, holds, said=""):
    """A line for what was tried."""
    print(f"{'ok     ' if holds else 'FAILED '} {what}" + ("" if holds else f": {said}"), flush=True)
    if not holds:
        failures.append(what)


def run(text, seconds=20, **more):
    """A command of the guide in a shell; what it says, and whether it ended with 0."""
    try:
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", text],
            capture_output=True,
            text=True,
            timeout=seconds,
            stdin=subprocess.DEVNULL,
            **more,
        )
    except subprocess.TimeoutExpired as late:
        return False, f"no end within {seconds} s: {late.stdout}"
    return done.returncode == 0, done.stdout + done.stderr


# What the overlays attach to, as on a Raspberry Pi.
BOARD = """/dts-v1/;
/ {
  soc {
    gpio: gpio { gpio-controller; #gpio-cells = <2>; interrupt-controller; #interrupt-cells = <2>; };
    i2c1: i2c { #address-cells = <1>; #size-cells = <0>; };
    spi0: spi { #address-cells = <1>; #size-cells = <0>; spidev0: spidev@0 { reg = <0>; }; };
  };
};
"""


def device_trees(folder):
    """Every overlay compiles, by the guide's own command, and puts its part on the bus that its heading names."""
    trees = dict(re.findall(r"^### ([^\n]*)\n(?:(?!^###).)*?```dts\n(.*?)```", guide["IMU"], re.S | re.M))
    wanted = {
        "LSM6DSO on I²C": ("/soc/i2c/imu@6a", "st,lsm6dso"),
        "LSM6DSO on SPI": ("/soc/spi/imu@0", "st,lsm6dso"),
        "BMI270 on I²C": ("/soc/i2c/imu@68", "bosch,bmi270"),
        "BMI270 on SPI": ("/soc/spi/imu@0", "bosch,bmi270"),
    }
    fact("there is a device tree for each part and bus", set(trees) == set(wanted), list(trees))
    (folder / "board.dts").write_text(BOARD)
    good, said = run("dtc -q -@ -I dts -O dtb -o board.dtb board.dts", cwd=folder)
    fact("the board that they are tried on compiles", good, said)
    for name, (node, part) in wanted.items():
        (folder / "imu.dts").write_text(trees.get(name, ""))
        good, said = run(command("IMU", "dtc "), cwd=folder)
        fact(f"the device tree of {name} compiles without a warning", good and "Warning" not in said, said)
        good, said = run(
            "fdtoverlay -i board.dtb -o whole.dtb imu.dtbo"
            f" && fdtget whole.dtb {node} compatible && fdtget -t s whole.dtb {node} mount-matrix",
            cwd=folder,
        )
        fact(f"{name}: the board has it, with its mount matrix", good and said.split() == [part, *"100010001"], said)
        if "spi" in node:
            good, said = run("fdtget whole.dtb /soc/spi/spidev@0 status", cwd=folder)
            fact(f"{name}: nothing else has its chip select", good and said.strip() == "disabled", said)


def iio(folder):
    """The reads and writes of sysfs, on a fake of an LSM6DSO's two devices in a mount namespace."""
    script = folder / "iio.sh"
    writes = [command("IMU", start) for start in ("echo 104", "echo 0.001196")]
    writes.append(command("ClocksAndPriority", "echo boottime"))
    script.write_text(
        """set -e
mount -t tmpfs none /sys/bus
number=0
for part in gyro:anglvel:0.000152716 accel:accel:0.000598; do
  IFS=: read -r name kind scale <<<"$part"
  device=/sys/bus/iio/devices/iio:device$number
  mkdir -p $device/scan_elements $device/buffer
  echo lsm6dso_$name >$device/name
  echo 208 >$device/sampling_frequency
  echo realtime >$device/current_timestamp_clock
  echo $scale >$device/in_${kind}_scale
  for axis in x y z; do
    echo 7 >$device/in_${kind}_${axis}_raw
  done
  number=$((number + 1))
done
"""
        + "\n".join([command("IMU", "cat /sys/bus/iio"), command("IMU", "iio_attr"), *writes])
        + "\ncd /sys/bus/iio/devices"
        + "\ncat iio:device0/{sampling_frequency,current_timestamp_clock} iio:device1/in_accel_scale\n"
    )
    good, said = run(f"unshare -Urm bash {script}")
    if not good and "unshare" in said:
        left_out.append("the made-up sysfs: no namespace can be made here")
        return
    fact(
        "sysfs takes what the guide writes",
        good and said.split()[-3:] == ["104", "boottime", "0.001196"],
        said,
    )
    fact("it names both devices of an LSM6DSO", said.split()[:2] == ["lsm6dso_gyro", "lsm6dso_accel"], said)


def receiver(folder):
    """gpsd with a u-blox on a pseudo-terminal: what ubxtool sends arrives, and gpspipe shows reports."""
    master, slave = os.openpty()
    tty.setraw(slave)
    name = os.ttyname(slave)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    heard = bytearray()
    ended = threading.Event()

    def checked(frame):
        a = b = 0
        for byte in frame:
            a = (a + byte) & 0xFF
            b = (b + a) & 0xFF
        return b"\xb5\x62" + frame + bytes((a, b))

    def listen():
        while not ended.is_set():
            heard.extend(os.read(master, 4096))

    def speak():
        tow = 300_000_000
        while not ended.is_set():
            tow += 100
            # UBX-NAV-PVT: a 3D fix in a car that stands, 10 Hz.
            pvt = struct.pack(
                "<IHBBBBBBIiBBBBiiiiIIiiiiiIIHHIiI",
                tow, 2026, 3, 4, 11, 20, 0, 0x37, 50, 0, 3, 0x01, 0, 12, 130_000_000, 520_000_000,
                80_000, 40_000, 1500, 2000, 0, 0, 0, 0, 0, 100, 1_800_000, 150, 0, 0, 0, 0,
            )
            os.write(master, checked(struct.pack("<BBH", 1, 7, len(pvt)) + pvt))
            time.sleep(0.1)

    for work in (listen, speak):
        threading.Thread(target=work, daemon=True).start()
    gpsd = subprocess.Popen(
        ["gpsd", "-N", "-n", "-S", str(port), name],
        stderr=subprocess.DEVNULL,
        env={**os.environ, "GPSD_SHM_KEY": "0x52504755"},
    )
    try:
        for _ in range(100):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        good, said = run(command("Receiver", "gpspipe -w -n 4") + f" 127.0.0.1:{port}")
        reports = [json.loads(line)["class"] for line in said.splitlines() if line.startswith("{")]
        fact("gpspipe shows what gpsd says", good and {"VERSION", "DEVICES"} <= set(reports), said)
        wanted = {
            "ubxtool -P 18 -p CFG-RATE": bytes.fromhex("0608060064000100"),
            "ubxtool -P 27.12 -z CFG-RATE-MEAS": bytes.fromhex("01002130"),
            "ubxtool -P 27.12 -z CFG-MSGOUT": bytes.fromhex("09009120"),
            "ubxtool -P 18 -p SAVE": bytes.fromhex("0609"),
        }
        for start, part in wanted.items():
            heard.clear()
            text = command("Receiver", start)
            _, said = run(f"{text} 127.0.0.1:{port}:{name}")
            for _ in range(40):
                if part in heard:
                    break
                time.sleep(0.05)
            fact(f"the receiver gets what this asks: {text}", part in heard, said[-300:])
    finally:
        ended.set()
        gpsd.terminate()
        gpsd.wait()


def frames():
    """Frames of a car that goes 50 km/h, others in between, and one that is cut short."""
    frame = struct.Struct("=IB3x8s")
    return [
        frame.pack(0x1A0, 8, bytes.fromhex("0088130000000000")),
        frame.pack(0x0F0, 8, bytes(8)),
        frame.pack(0x800001A0, 8, bytes(8)),
    ]


def wheels(folder):
    """The bridge over a pair of sockets, both byte orders, its refusals, and vcan where there is one."""
    text = command("Wheels", "can-wheels can0").split(" | ")[0]
    for said_as, bridge in (
        ("Intel", text),
        ("Motorola", text.replace("8|16@1+", "15|16@0+")),
    ):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for packet in frames():
            if said_as == "Motorola":
                packet = packet.replace(bytes.fromhex("8813"), bytes.fromhex("1388"))
            ours.send(packet)
        ours.close()
        good, said = run(bridge.replace("can0", f"fd:{theirs.fileno()}"), pass_fds=[theirs.fileno()])
        fact(
            f"can-wheels reads {said_as} signals, and the wanted frame only",
            good and said == "speed 13.8889\n",
            said,
        )
    good, said = run(text.replace("8|16@1+", "60|16@1+"))
    fact("it refuses a signal that no frame holds", not good and "does not fit" in said, said)
    good, said = run(text.replace("can0", "can-that-is-not-there"))
    fact(
        "it says which bus is missing, and ends",
        not good and "can-wheels: " in said and "Traceback" not in said,
        said,
    )
    if shutil.which("reckon"):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

        def drive():
            # The bridge ends with reckon, before the bus does.
            with ours, contextlib.suppress(ConnectionError):
                for _ in range(50):
                    ours.send(frames()[0])
                    time.sleep(0.1)

        threading.Thread(target=drive, daemon=True).start()
        both = command("Wheels", "can-wheels can0").replace("can0", f"fd:{theirs.fileno()}")
        _, said = run(f"{both} --gpsd none --imu none --plain --duration 4", pass_fds=[theirs.fileno()])
        fact(
            "reckon run takes the bridge's lines",
            re.search(r"wheel", said) and not re.search(r"error [0-9]+", said),
            said[-500:],
        )
    else:
        left_out.append("reckon run --wheel: reckon is not built")
    vcan, _ = run(
        " && ".join(command("Wheels", start) for start in ("ip link add dev vcan0", "ip link set vcan0"))
    )
    if not vcan:
        left_out.append("vcan: this kernel has no CAN, so the bridge was tried over a pair of sockets only")
        return
    bridge = subprocess.Popen(
        ["bash", "-c", "exec " + text.replace("can0", "vcan0")], stdout=subprocess.PIPE, text=True
    )
    try:
        time.sleep(0.5)
        run(command("Wheels", "cansend"))
        said = bridge.stdout.readline()
        fact(
            "over vcan it says the speed and when",
            re.fullmatch(r"speed 13\.8889 time \d+\.\d{9} realtime\n", said),
            said,
        )
    finally:
        bridge.terminate()
        run("ip link delete vcan0")


def live(folder):
    """From nothing to a live position by real gpsd and libiio, of sensors that are not there."""
    if not shutil.which("reckon"):
        left_out.append("a live position of fake sensors: reckon is not built")
        return
    drive = str(folder / "town")
    with socket.socket() as udp, socket.socket() as imu, socket.socket() as tcp:
        for free in (udp, imu, tcp):
            free.bind(("127.0.0.1", 0))
        udp, imu, tcp = (free.getsockname()[1] for free in (udp, imu, tcp))
    places = {"/tmp/town": drive, ":5950": f":{udp}", ":30950": f":{imu}", "2950": f"{tcp}"}

    def placed(start):
        text = command("BringUp", start)
        for there, here in places.items():
            text = text.replace(there, here)
        return text.removesuffix(" &")

    begun = time.monotonic()
    good, said = run(placed("reckon simulate"))
    fact("reckon makes a drive", good, said)
    parts = [
        subprocess.Popen(["bash", "-c", f"exec {text}"], stderr=subprocess.DEVNULL, env={**os.environ, "GPSD_SHM_KEY": key})
        for text, key in (
            (f"{placed('fake-sensors')} --gpsd-port {udp} --imu-port {imu}", "0"),
            (placed("gpsd -N -b"), "0x5252504c"),
        )
    ]
    try:
        time.sleep(2)
        text = placed("reckon run")
        good, said = run(f"{text} --plain --once", 60)
        took = time.monotonic() - begun
        fact(f"a live position comes, {took:.0f} s after the first command", good and took < 300, said[-500:])
        _, said = run(f"{text} --plain --duration 6")
        fact("of a receiver and an IMU", re.search(r"gpsd \S+ 5 Hz, IMU \S+ 100 Hz", said), said[-500:])
        good, said = run(placed("reckon run").replace("run", "doctor") + " --duration 5")
        fact("reckon doctor finds both good", good, said[-1500:])
    finally:
        for part in parts:
            part.terminate()
            part.wait()


with tempfile.TemporaryDirectory() as name:
    for part in (device_trees, iio, receiver, wheels, live):
        part(pathlib.Path(name))
left_out.append(
    "what needs the part itself: i2cdetect, modprobe of drivers, a bus in listen-only mode, the pulse"
)
for what in left_out:
    print("not tried here:", what)
sys.exit(1 if failures else 0)
