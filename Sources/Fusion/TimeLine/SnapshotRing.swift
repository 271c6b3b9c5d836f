import Navigation

/// The state in use, and those to go back to, oldest first, in slots that are allocated once: one that is full gives up
/// its oldest.
///
/// They lie in one array, and not in the engine itself: whoever passes an engine on passes a few words, and what asks the
/// state something reads it where it lies.
struct SnapshotRing: Sendable {
  /// What is known of a snapshot without looking into it.
  struct Mark: Sendable {
    /// Number of samples, since the start, that it has seen.
    var applied: Int
    /// When it was taken.
    var time: Timestamp
  }

  private var states: [FusionState<NoRecorder>]
  private var marks: [Mark]
  /// Memory for the banks of snapshots, so that none is allocated while the heading is sought.
  private var spares: [BankMemory<NoRecorder>]
  private var first = 0
  private(set) var count = 0

  /// A ring of `capacity` snapshots, none taken yet, of the state in use, which begins as `state`.
  init(capacity: Int, of state: FusionState<NoRecorder>) {
    states = Array(repeating: state, count: capacity + 1)
    spares = (0...capacity).map { _ in HeadingBank.memory(writing: state.navigator) }
    marks = Array(repeating: Mark(applied: 0, time: Timestamp(nanoseconds: .min)), count: capacity + 1)
  }

  /// The state in use: it lies in the slot after the newest snapshot.
  var current: FusionState<NoRecorder> {
    _read { yield states[slot(count)] }
    _modify { yield &states[slot(count)] }
  }

  /// Whether the heading is sought, by many navigators.
  @inline(__always) var hasBank: Bool { states[slot(count)].bank != nil }

  /// Lets the navigators that seek the heading do some of their work.
  @inline(__always) mutating func workOnBank(afterSnapshot: Bool) {
    let i = slot(count)
    if states[i].bank != nil { states[i].bank?.work(afterSnapshot: afterSnapshot) }
  }

  /// What is known at `time`.
  @inline(__always) func solution(at time: Timestamp) -> NavigationSolution? {
    // Field by field: to call a method of the whole state would copy it.
    let i = slot(count)
    // Until the car itself has borne a heading out, by where its nose must be, the guard claims less.
    let isBorneOut = states[i].phase == .navigating && states[i].navigator.mounting.isKnown
    return isBorneOut ? states[i].navigator.solution(at: time) : states[i].startingSolution(at: time)
  }

  /// The mark of the `i`-th snapshot, 0 being the oldest.
  subscript(_ i: Int) -> Mark { marks[slot(i)] }

  var newest: Mark? { count > 0 ? self[count - 1] : nil }
  var oldest: Mark? { count > 0 ? self[0] : nil }

  /// Takes a snapshot of the state in use.
  mutating func append(_ mark: Mark) {
    if count == states.count - 1 { removeOldest() }
    let slot = slot(count)
    marks[slot] = mark
    count += 1
    copy(slot, to: self.slot(count))
  }

  mutating func removeOldest() {
    first = slot(1)
    count -= 1
  }

  /// Goes back to the newest snapshot that has seen no more than `applied` samples, and forgets those after it; false where
  /// there is none.
  mutating func restore(applied: Int) -> Bool {
    // Or the memory of the snapshot that is forgotten next would be copied when it is written to.
    states[slot(count)].bank?.navigators.stopSharing()
    while let newest, newest.applied > applied { count -= 1 }
    guard count > 0 else { return false }
    copy(slot(count - 1), to: slot(count))
    return true
  }

  /// Forgets all snapshots, and begins anew with `state`.
  mutating func begin(with state: FusionState<NoRecorder>) {
    count = 0
    current = state
  }

  /// From slot to slot, without a copy on the way. The navigators of banks lie outside: each slot has memory of its own, and
  /// they are copied when they next change.
  private mutating func copy(_ from: Int, to: Int) {
    if let memory = states[to].bank?.navigators.takeMemory(), spares.count < states.count {
      spares.append(memory)
    }
    states[from].bank?.navigators.ownAll()
    states.withUnsafeMutableBufferPointer { states in
      guard let base = states.baseAddress else { return }
      (base + to).pointee.bank = (base + from).pointee.bank
      (base + to).pointee.match = (base + from).pointee.match
      FusionState.copyPlainPart(from: base + from, to: base + to)
    }
    if states[to].bank != nil {
      states[to].bank?.navigators.share(using: spares.popLast() ?? HeadingBank.memory())
    }
  }

  private func slot(_ i: Int) -> Int {
    let slot = first + i
    return slot < states.count ? slot : slot - states.count
  }
}

extension FusionState where Recorder == NoRecorder {
  /// Copies all but the bank and the match, as one piece of memory instead of field by field; but not the settings that come
  /// before it, which are the same in all slots.
  ///
  /// A struct's parts lie in the order of their declaration: what refers to something outside comes before the navigator, whose
  /// filter comes after its settings.
  fileprivate static func copyPlainPart(from: UnsafeMutablePointer<Self>, to: UnsafeMutablePointer<Self>) {
    func plainPart(_ state: UnsafeMutablePointer<Self>) -> UnsafeMutableRawPointer {
      withUnsafeMutablePointer(to: &state.pointee.navigator.filter) { UnsafeMutableRawPointer($0) }
    }
    let start = plainPart(from) - UnsafeMutableRawPointer(from)
    plainPart(to).copyMemory(from: plainPart(from), byteCount: MemoryLayout<Self>.size - start)
  }
}
