import Foundation
import TestParts

/// The kernel's side of IIO made of files, in namespaces of a test's own: tmpfs in place of /sys/bus and
/// /dev, and a FIFO in place of /dev/iio:device0. libiio's local backend and iiod take it for the kernel's.
enum FakeSysfs {
  /// Why it cannot be had here; nil where it can.
  static let obstacle: String? = {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare") else {
      return "unshare is not installed"
    }
    guard (try? run("mount -t tmpfs none /sys/bus && mount -t tmpfs none /dev", limit: 10)) != nil else {
      return "user and mount namespaces are refused here"
    }
    return nil
  }()

  /// The program that reads an IMU and prints what it says.
  static let probe = program("sensor-probe")

  /// A program that was built beside the tests; empty where it was not.
  static func program(_ name: String) -> String {
    let candidates =
      CommandLine.arguments
      + ["/proc/self/exe"].compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: $0) }
    let folders = candidates.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) } ?? ""
  }

  /// Runs `script` by sh in new namespaces and gives its output; it is killed after `limit` seconds, with all
  /// that it started. The variable `SCRATCH` is `scratch`, or a folder of its own, in which `data` is the
  /// file `data`. Without `isApart` it runs as any program does.
  static func run(
    _ script: String, data: [UInt8] = [], limit: Int = 25, scratch: URL? = nil, isApart: Bool = true
  ) throws
    -> String
  {
    // The process namespace ends with its first process, and all in it.
    let apart = isApart ? ["/usr/bin/unshare", "-Urmpf", "--kill-child=KILL"] : []
    let own = ScratchFolder()
    let folder = scratch?.path ?? own.path
    try Data(data).write(to: URL(fileURLWithPath: folder + "/data"))
    let run = try ProgramRun(
      "/usr/bin/timeout", ["-s", "KILL", String(limit)] + apart + ["/bin/sh", "-ec", script],
      environment: ["SCRATCH": folder], within: Double(limit) + 60)
    guard run.status == 0 else {
      throw IIODFailure(text: "sh ended with \(run.status): \(run.output.suffix(400))")
    }
    return run.output
  }

  /// A script that makes the devices.
  static let devices = """
    mount -t tmpfs none /sys/bus
    mkdir -p /sys/bus/iio/devices $SCRATCH/dev
    mount -t tmpfs none $SCRATCH/dev
    for file in null zero urandom; do : >$SCRATCH/dev/$file; mount --bind /dev/$file $SCRATCH/dev/$file; done
    mount --move $SCRATCH/dev /dev
    plug() {
      d=/sys/bus/iio/devices/iio:device0
      mkdir -p $d/scan_elements $d/buffer $d/trigger
      echo bmi160 >$d/name
      index=0
      for c in accel_x accel_y accel_z anglvel_x anglvel_y anglvel_z; do
        echo $((index * 10)) >$d/in_${c}_raw
        echo 0 >$d/scan_elements/in_${c}_en
        echo $index >$d/scan_elements/in_${c}_index
        echo 'le:s16/16>>0' >$d/scan_elements/in_${c}_type
        index=$((index + 1))
      done
      echo 0 >$d/scan_elements/in_timestamp_en
      echo $index >$d/scan_elements/in_timestamp_index
      echo 'le:s64/64>>0' >$d/scan_elements/in_timestamp_type
      echo 0.0012 >$d/in_accel_scale
      echo 0.001065264 >$d/in_anglvel_scale
      echo 50 >$d/sampling_frequency
      echo '25 50 100 200' >$d/sampling_frequency_available
      echo '0, 1, 0; -1, 0, 0; 0, 0, 1' >$d/in_mount_matrix
      echo realtime >$d/current_timestamp_clock
      echo 0 >$d/buffer/enable
      echo 2 >$d/buffer/length
      echo 1 >$d/buffer/watermark
      echo >$d/trigger/current_trigger
      mkdir -p /sys/bus/iio/devices/trigger0
      echo bmi160-dev0 >/sys/bus/iio/devices/trigger0/name
      mkfifo /dev/iio:device0
    }
    unplug() { rm -rf /sys/bus/iio/devices/iio:device0 /sys/bus/iio/devices/trigger0 /dev/iio:device0; }

    """
}
