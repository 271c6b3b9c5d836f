import Navigation

extension LocationManager {
  /// Has the places of the last 24 hours kept from now on, thinned as ``LocationHistory`` does, also while
  /// the program is away and over restarts. Until ``stopKeepingHistory()``, or until the program is
  /// denied: then they are deleted.
  public func startKeepingHistory() async throws {
    _ = try await ask(State.Question.history) { .startHistory(number: $0) }
  }

  /// Deletes what was kept for this program.
  public func stopKeepingHistory() { delivery.withLock { send(.stopHistory) } }

  /// Where the car was in the last 24 hours, since the program has had that kept, and in UTC (nanoseconds
  /// since 1970) since `start` where there is one: at most `sampleCount` (1 to ``LocationHistory/most``)
  /// places evenly chosen, oldest first. With reduced accuracy, also while it is full for a while, the coarse
  /// place of each quarter of an hour.
  public func requestHistoricalLocations(
    since start: Timestamp? = nil, sampleCount: Int = LocationHistory.most
  ) async throws -> [Location] {
    try await ask(State.Question.history) {
      .requestHistory(number: $0, since: start, count: Int64(sampleCount))
    }
  }
}
