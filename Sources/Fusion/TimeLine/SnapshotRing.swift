import Navigation

/// The state in use, and snapshots of it to go back to, oldest first, in memory that is allocated once: a
/// ring that is full gives up its oldest.
///
/// All of it lies in arrays, and not in the engine itself: whoever passes an engine on passes a few words,
/// and what asks the state something reads it where it lies.
struct SnapshotRing: Sendable {
  /// What is known of a snapshot without looking into it.
  struct Mark: Sendable {
    /// Number of samples, since the start, that it has seen.
    var applied: Int
    /// When it was taken.
    var time: Timestamp
  }

  /// What a snapshot has besides its plain part.
  private struct Snapshot: Sendable {
    var bank: HeadingFilterBank<NoRecorder>?
    var match: TrackMatch?
    /// Bytes of the plain part.
    var size = 0
  }

  /// The state in use, alone.
  private var states: [FusionState<NoRecorder>]
  private var snapshots: [Snapshot]
  /// One for each snapshot: apart, or to look at one would copy the snapshot.
  private var marks: [Mark]
  /// The plain parts of the snapshots, one after the other.
  private var images: [SIMD4<Double>]
  /// Where the snapshots lie, oldest first, and then where there is room, what was freed last at the
  /// front: it is still in a cache.
  private var slots: [Int]
  private(set) var count = 0
  /// Where the snapshot lies of which only the first half has been copied.
  private var unfinished: Int?

  /// A ring of `capacity` snapshots, none taken yet, of the state in use, which begins as `state`.
  ///
  /// - Parameter banks: memory to set aside for so many banks, so that none is allocated while
  ///   the heading is sought.
  init(capacity: Int, banks: Int, of state: FusionState<NoRecorder>) {
    states = [state]
    snapshots = Array(repeating: Snapshot(), count: capacity)
    marks = Array(repeating: Mark(applied: 0, time: Timestamp(nanoseconds: .min)), count: capacity)
    images = Array(repeating: .zero, count: capacity * Self.imageStride)
    slots = Array(0..<capacity)
    states[0].bankMemory = BankPool(count: banks, writing: state.navigator)
  }

  /// The state in use. Before it changes, the newest snapshot is finished.
  var current: FusionState<NoRecorder> {
    @inline(__always) _read { yield states[0] }
    @inline(__always) _modify {
      if let unfinished { finish(unfinished) }
      yield &states[0]
    }
  }

  /// Whether the heading is sought, by many navigators.
  @inline(__always) var hasBank: Bool { states[0].bank != nil }

  /// Lets the navigators that seek the heading do some of their work.
  @inline(__always) mutating func workOnBank() {
    if states[0].bank != nil { states[0].bank?.work() }
  }

  /// What is known at `time`.
  @inline(__always) func solution(at time: Timestamp) -> NavigationSolution? {
    // Field by field: to call a method of the whole state would copy it.
    // Until the car itself has borne a heading out, by where its nose must be, the guard claims less.
    if states[0].phase == .navigating, states[0].navigator.mounting.isKnown {
      return states[0].navigator.solution(at: time)
    }
    // Where the wheels are silent as well, the guard says how little is known.
    let matched = states[0].match?.solution(at: time, within: states[0].settings.gaps.odometry)
    return matched ?? states[0].planar?.solution(at: time)
  }

  /// The mark of the `i`-th snapshot, 0 being the oldest.
  subscript(_ i: Int) -> Mark { marks[slots[i]] }

  var newest: Mark? { count > 0 ? self[count - 1] : nil }
  var oldest: Mark? { count > 0 ? self[0] : nil }

  /// Takes a snapshot of the state in use: the first half of it, the other before the state changes. No call
  /// then takes the time of both.
  mutating func append(_ mark: Mark) {
    if let unfinished { finish(unfinished) }
    if count == snapshots.count { removeOldest() }
    let slot = slots[count]
    count += 1
    marks[slot] = mark
    // Of a bank the snapshot takes the navigators, and the state in use copies each when it next changes.
    states[0].bank?.navigators.ownAll()
    (snapshots[slot].bank, snapshots[slot].match) = (states[0].bank, states[0].match)
    states[0].separateBank()
    copyPlainPart(slot) { state, image, half, size in
      image.copyMemory(from: state, byteCount: half)
    }
    unfinished = slot
  }

  /// Copies the other half of the newest snapshot.
  @inline(never) private mutating func finish(_ slot: Int) {
    unfinished = nil
    snapshots[slot].size = copyPlainPart(slot) { state, image, half, size in
      (image + half).copyMemory(from: state + half, byteCount: size - half)
    }
  }

  mutating func removeOldest() {
    let slot = slots[0]
    forget(slot)
    count -= 1
    for i in 0..<count { slots[i] = slots[i + 1] }
    slots[count] = slot
  }

  /// Goes back to the newest snapshot that has seen no more than `applied` samples, and forgets those after
  /// it; false where there is none.
  mutating func restore(applied: Int) -> Bool {
    if let unfinished { finish(unfinished) }
    states[0].replaceBank(with: nil)
    while let newest, newest.applied > applied {
      count -= 1
      forget(slots[count])
    }
    guard count > 0 else { return false }
    let slot = slots[count - 1]
    (states[0].bank, states[0].match) = (snapshots[slot].bank, snapshots[slot].match)
    states[0].separateBank()
    let size = snapshots[slot].size
    copyPlainPart(slot) { state, image, _, _ in state.copyMemory(from: image, byteCount: size) }
    return true
  }

  /// Forgets all snapshots, and begins anew with `state`.
  mutating func begin(with state: FusionState<NoRecorder>) {
    unfinished = nil
    while count > 0 { removeOldest() }
    states[0].replaceBank(with: nil)
    let memory = states[0].bankMemory
    states[0] = state
    states[0].bankMemory = memory
  }

  /// Frees what a snapshot has of a bank and a match for others.
  private mutating func forget(_ slot: Int) {
    snapshots[slot].match = nil
    guard let memory = snapshots[slot].bank?.navigators.takeMemory() else { return }
    snapshots[slot].bank = nil
    states[0].bankMemory.put(back: memory)
  }

  // MARK: The plain part

  /// Room for the plain part of a snapshot.
  private static var imageStride: Int {
    (MemoryLayout<FusionState<NoRecorder>>.size + MemoryLayout<SIMD4<Double>>.size - 1)
      / MemoryLayout<SIMD4<Double>>.size
  }

  /// Hands on the plain part of the state in use, the memory of that of a snapshot, and how many bytes of it
  /// are its first half and count at all, the latter of which it returns.
  @discardableResult private mutating func copyPlainPart(
    _ slot: Int, _ body: (UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int, Int) -> Void
  ) -> Int {
    images.withUnsafeMutableBytes { images in
      states.withUnsafeMutableBufferPointer { states in
        guard let state = states.baseAddress, let image = images.baseAddress else { return 0 }
        let plain = FusionState.plainPart(of: state)
        body(
          plain.start, image + slot * Self.imageStride * MemoryLayout<SIMD4<Double>>.stride, plain.half,
          plain.size)
        return plain.size
      }
    }
  }
}

extension FusionState where Recorder == NoRecorder {
  /// Where all lies that refers to nothing outside, but for the settings, which never change: one piece of
  /// memory, instead of field by field; how many bytes of it count, and how many come before the vibration,
  /// which is about half.
  ///
  /// A struct's parts lie in the order of their declaration: what refers to something outside comes before
  /// the navigator, whose filter comes after its settings, and what is last is a window of shaking, of no
  /// account where none is open.
  fileprivate static func plainPart(
    of state: UnsafeMutablePointer<Self>
  ) -> (start: UnsafeMutableRawPointer, half: Int, size: Int) {
    let start = withUnsafeMutablePointer(to: &state.pointee.navigator.filter) { UnsafeMutableRawPointer($0) }
    return withUnsafeMutablePointer(to: &state.pointee.vibration) { vibration in
      let half = UnsafeMutableRawPointer(vibration) - start
      return (start, half, half + vibration.pointee.sizeInUse)
    }
  }
}
