import Live
import Sensors

extension GPSDInspection {
  /// Who is there, and with which receivers, judged. What they say is another matter.
  func findings(at address: GPSDAddress) -> [Finding] {
    let place = address.endpoint
    switch answer {
    case .unreachable(let cause):
      return .only(.fault, "gpsd", Self.words(cause, place), remedy: Self.remedy(cause))
    case .silent:
      return .only(
        .fault, "gpsd", "\(place) accepts connections and says nothing; gpsd says its version at once",
        remedy: "see who listens there (ss -ltnp); if it is gpsd, start it anew: systemctl restart gpsd")
    case .incompatible(let release):
      return .only(
        .fault, "gpsd", "gpsd \(release) at \(place) speaks another protocol",
        remedy: "install gpsd 3.18 or later")
    case .gpsd(let release):
      return [Finding("gpsd", .good, "gpsd \(release) at \(place)")] + list(at: address)
    }
  }

  private func list(at address: GPSDAddress) -> [Finding] {
    if let named = address.device, !receivers.contains(where: { $0.path == named }) {
      let known = receivers.isEmpty ? "none" : receivers.map(\.path).joined(separator: ", ")
      return .only(
        .fault, "gpsd", "it does not know \(named); it knows \(known)",
        remedy: "check the name, or make it known: gpsdctl add \(named)")
    }
    guard !receivers.isEmpty else {
      return .only(
        .fault, "gpsd", "it has no receiver",
        remedy:
          "plug one in; if it stays unknown: gpsdctl add /dev/ttyACM0, or DEVICES in /etc/default/gpsd")
    }
    var list = receivers.map(Self.finding)
    if receivers.count > 1, address.device == nil {
      list.add(
        .advice, "gpsd", "it has \(receivers.count) receivers: the first that has a fix is used",
        remedy: "name the better one: --gpsd \(address.endpoint):\(receivers[0].path)")
    }
    return list
  }

  private static func finding(_ receiver: Receiver) -> Finding {
    if !receiver.isActive {
      return Finding(
        "gpsd", .advice, "it does not have \(receiver.path) open",
        remedy: "check plug and power, and that gpsd's user may read it: ls -l \(receiver.path)")
    }
    if receiver.driver.isEmpty {
      return Finding(
        "gpsd", .advice, "it does not recognise what comes from \(receiver.path), if anything does",
        remedy: "check cable and baud rate: gpsd finds the common ones, gpsd -s 38400 sets one")
    }
    return Finding("gpsd", .good, "\(receiver.path) (\(receiver.driver))")
  }

  private static func words(_ cause: GPSDUnreachable, _ place: String) -> String {
    switch cause {
    case .unknownHost: "the host of \(place) is not known"
    case .refused: "nobody listens at \(place)"
    case .noAnswer: "nothing comes back from \(place)"
    case .other(let reason): "\(place): \(reason)"
    }
  }

  private static func remedy(_ cause: GPSDUnreachable) -> String {
    switch cause {
    case .unknownHost: "check the name, or write the host's address"
    case .refused:
      "install and start gpsd, and give it the receiver: gpsd -n /dev/ttyACM0; or name another with --gpsd host:port"
    case .noAnswer: "see whether the host is on (ping) and lets others in: gpsd -G, and its firewall"
    case .other: "see whether this computer has a network"
    }
  }
}
