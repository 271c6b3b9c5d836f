import Location
import Navigation

/// What of the hub is yet to be written, and what may leave once it is.
struct HubStorage: Sendable {
  // To write.
  /// Clients of which what is kept has changed.
  var dirty: Set<ClientIdentity> = []
  var changes: [StoreChange] = []
  var isAuditChanged = false
  var unwrittenHistory = HistoryChange()
  /// The stay as it is on the disk, or about to be.
  var stay: VisitMonitor.Stay?

  // When it was last noted.
  var lastAudit: Timestamp?
  var lastPlace: Timestamp?
  var lastHistory: Timestamp?

  // What waits to be on the disk.
  /// The number of the next write.
  var writeNumber: UInt64 = 0
  var awaiting: [(write: UInt64, client: ClientIdentity, event: RegionEvent)] = []
  /// The write that holds the newest change, where that is not on the disk.
  var unstored: [ClientIdentity: UInt64] = [:]
  var unstoredDecisions: [ClientIdentity: UInt64] = [:]
  /// Answers, in the order of the questions.
  var held: [HeldAnswer] = []
  /// Whether the last write failed.
  var isBroken = false
}
