import CLibrary
import Fusion
import Location
import LocationService
import TestParts
import Testing

@Suite struct StoreTests {
  private let scratch = ScratchFolder()
  private var path: String { scratch("store.sqlite") }
  private let client = ClientIdentity(name: "com.example.a", user: 1000)

  /// A client with a region, `count` events of it and as many significant changes.
  private func kept(_ count: Int) -> DurableClient {
    var kept = DurableClient()
    let events = (0..<count).map { (i: Int) -> RegionEvent in
      let isEven = i.isMultiple(of: 2)
      return RegionEvent(
        number: Int64(i + 1), identifier: "home", kind: isEven ? .entered : .exited,
        timestamp: Made.time(Double(i)), utc: isEven ? nil : Timestamp(seconds: 1.7e9))
    }
    kept.regions = RegionMonitor(
      watches: [RegionWatch(region: Made.home, state: .inside)], pending: events,
      nextNumber: Int64(count + 1))
    kept.wantsSignificantChanges = true
    kept.wantsVisits = count > 0
    kept.historySince = count > 0 ? Timestamp(seconds: 1.7e9) : nil
    kept.pendingVisits = (0..<min(count, 3)).map {
      Visit(
        coordinate: Made.home.center, horizontalAccuracy: Double($0), arrival: $0 == 0 ? nil : Made.time(1),
        departure: $0 == 2 ? Made.time(2) : nil, sources: [.gnss])
    }
    kept.pendingChanges = (0..<min(count, 50)).map { Made.location(north: Double($0), at: Double($0)) }
    return kept
  }

  private func place(_ i: Int) -> LocationHistory.Entry {
    .init(
      utc: Timestamp(seconds: 1.7e9 + Double(i) * 10), coordinate: Made.home.center,
      horizontalAccuracy: Double(abs(i)), sources: [.gnss, .cell])
  }

  @Test func storeKeepsEverythingOverAReopening() throws {
    var state = StoredState()
    state.clients = [client: kept(7), .init(name: "b", user: 0): kept(0)]
    state.decisions = [client: .init(.denied), .init(name: "b", user: 0): .init(.authorized, .reduced)]
    state.decisions[.init(name: "c", user: 1)] = .init(
      .authorized, .reduced, fullAccuracyPurposeKeys: ["a", "b"])
    state.audit = [.init(client: client, purpose: "ü", from: Made.time(0), until: Made.time(1), count: 3)]
    state.lastLocation = Made.location(at: 3)
    state.stay = .init(
      visit: .init(coordinate: Made.home.center, horizontalAccuracy: 4, arrival: nil),
      since: Timestamp(seconds: 1.7e9), isVisit: true)
    state.history = (0..<50).map(place)
    var (wrong, history) = (HistoryChange(), HistoryChange())
    wrong.added = [place(-10), place(60)]
    history.added = state.history
    history.oldest = state.history[0].utc
    let store = try SQLiteStore(path: path)
    try store.write(
      state.clients.map { .client($0.key, $0.value) } + state.decisions.map { .decision($0.key, $0.value) }
        + [
          .audit([]), .audit(state.audit), .lastLocation(Made.location(at: 3)), .stay(state.stay),
          .history(wrong), .history(history),
        ])
    #expect(try store.read() == state)
    try store.close()
    #expect(try SQLiteStore(path: path).read() == state)
  }

  @Test func storeIsItsOwnersAlone() throws {
    func permissions() -> [mode_t] {
      ["", "-wal", "-shm"].map { end in
        var file = stat()
        return stat(path + end, &file) == 0 ? file.st_mode & 0o777 : 0
      }
    }
    let store = try SQLiteStore(path: path)
    try store.write([.client(client, kept(1))])
    #expect(permissions() == [0o600, 0o600, 0o600])
    try store.close()
    // As an earlier version made it.
    chmod(path, 0o644)
    let again = try SQLiteStore(path: path)
    try again.write([.client(client, kept(2))])
    #expect(permissions() == [0o600, 0o600, 0o600])
  }

  @Test func storeForgetsWhatIsTakenBack() throws {
    let store = try SQLiteStore(path: path)
    var (history, cleared) = (HistoryChange(), HistoryChange())
    history.added = (0..<5).map(place)
    cleared.isCleared = true
    try store.write([.history(history)])
    try store.write([.client(client, kept(9)), .decision(client, .init(.denied))])
    try store.write([.client(client, DurableClient()), .decision(client, nil), .stay(nil), .history(cleared)])
    let state = try store.read()
    #expect(state.stay == nil && state.history.isEmpty && state.clients.isEmpty && state.decisions.isEmpty)
  }

  /// Whatever is cut off the write-ahead log, what is left is one of the states that were written, whole.
  @Test(arguments: [Dice.newSeed]) func storeWithACutLogIsWhole(seed: UInt64) throws {
    let store = try SQLiteStore(path: path)
    for i in 0..<20 { try store.write([.client(client, kept(i))]) }
    let (database, log) = (try #require(read(path)), try #require(read(path + "-wal")))
    try store.close()
    var dice = Dice(seed: seed)
    var counts: Set<Int> = []
    for round in 0..<200 {
      for end in ["", "-wal", "-shm", ".damaged"] { unlink(path + end) }
      let length = round == 0 ? log.count : Int.random(in: 0...log.count, using: &dice)
      write(path, database)
      write(path + "-wal", Array(log[..<length]))
      let after = try SQLiteStore(path: path)
      let state = try after.read()
      try after.close()
      guard let found = state.clients[client] else {
        #expect(state == StoredState())
        continue
      }
      let count = found.regions.pending.count
      counts.insert(count)
      #expect(found == kept(count))
      if round == 0 { #expect(count == 19) }
    }
    #expect(counts.count > 3)
  }

  @Test func storeThatIsDamagedIsPutAsideAndBegunAnew() throws {
    write(path, Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0x42, count: 8176))
    var said: [String] = []
    let store = try SQLiteStore.recovering(path: path) { said.append($0) }
    #expect(try store.read() == StoredState())
    #expect(said.count == 2 && read(path + ".damaged")?.count == 8192)
    try store.write([.client(client, kept(1))])
  }

  @Test func storeInAFolderThatIsNotThereIsAnError() {
    #expect(throws: (any Error).self) { try SQLiteStore(path: "/nowhere/at/all.sqlite") }
  }

  @Test func storeCachedLocationKeepsItsAge() throws {
    var state = StoredState()
    state.lastLocation = Made.location(at: 0)
    let utc = try #require(state.lastLocation?.utc)
    let cached = state.cached(now: Timestamp(seconds: 50), utc: utc.advanced(bySeconds: 3600))
    #expect(cached?.timestamp == Timestamp(seconds: 50 - 3600))
    // A clock that is behind, or a day has gone by.
    #expect(state.cached(now: Timestamp(seconds: 50), utc: utc.advanced(bySeconds: -5)) == nil)
    #expect(state.cached(now: Timestamp(seconds: 50), utc: utc.advanced(bySeconds: 90_000)) == nil)
  }

  private func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
  }

  private func write(_ path: String, _ bytes: [UInt8]) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }
}
