import CLibrary
import Essentials
import Live

/// What the kernel knows of IIO devices, and whether this user may read them.
enum SystemFindings {
  private static let devices = "/sys/bus/iio/devices"

  static func list(usesIIO: Bool) -> [Finding] {
    guard usesIIO else { return [] }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: devices) else {
      return .only(
        .fault, "kernel", "it has no IIO (\(devices) is not there)",
        remedy: "load the IMU's driver: modprobe its name, or name it in the device tree")
    }
    let found = names.filter { $0.hasPrefix("iio:device") }.sorted()
    guard !found.isEmpty else {
      return .only(
        .fault, "kernel", "IIO is there and knows no device",
        remedy: "load the IMU's driver, and see the end of dmesg for what it says")
    }
    return found.map(finding)
  }

  private static func finding(_ device: String) -> Finding {
    let name =
      (try? String(contentsOfFile: "\(devices)/\(device)/name", encoding: .utf8))?
      .split(separator: "\n").first.map(String.init) ?? "no name"
    let node = "/dev/\(device)"
    guard access(node, F_OK) == 0 else {
      return Finding(
        device, .advice, "\(name): it has no \(node), so samples are asked for one by one",
        remedy: "the driver, or the kernel, was built without buffers")
    }
    guard access(node, R_OK) == 0 else {
      return Finding(
        device, .advice, "\(name): this user may not read \(node), so samples are asked for one by one",
        remedy:
          "a udev rule: SUBSYSTEM==\"iio\", GROUP=\"plugdev\", MODE=\"0660\", and be in that group; or run as root"
      )
    }
    guard access("\(devices)/\(device)/buffer/enable", W_OK) == 0 else {
      return Finding(
        device, .advice, "\(name): \(node) may be read, its buffer may not be switched on by this user",
        remedy: "let a udev rule give the group the right to write \(devices)/\(device)/, or run as root")
    }
    return Finding(device, .good, "\(name): may be read")
  }
}
