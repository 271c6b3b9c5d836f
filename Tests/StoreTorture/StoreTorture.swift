// Writes region events to a database for ever and prints the number of each once it is written: to be killed.
import CLibrary
import Location
import LocationService
import Navigation

@main
enum StoreTorture {
  static func main() {
    do { try torture() } catch {
      let line = Array("\(error)\n".utf8)
      _ = write(STDERR_FILENO, line, line.count)
      exit(3)
    }
  }

  private static func torture() throws {
    let client = ClientIdentity(name: "torture", user: 0)
    let store = try SQLiteStore(path: CommandLine.arguments[1])
    var kept = try store.read().clients[client] ?? DurableClient()
    while true {
      let number = kept.regions.nextNumber
      let event = RegionEvent(
        number: number, identifier: "x", kind: .entered, timestamp: Timestamp(nanoseconds: number), utc: nil)
      kept.regions = RegionMonitor(
        pending: kept.regions.pending.suffix(4) + [event], nextNumber: number + 1)
      try store.write([.client(client, kept)])
      let line = Array("\(number)\n".utf8)
      _ = write(STDOUT_FILENO, line, line.count)
    }
  }
}
