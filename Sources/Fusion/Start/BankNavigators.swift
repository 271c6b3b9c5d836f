import Navigation

/// What is known of one of a bank's navigators without looking into it.
struct BankStanding: Sendable {
  /// How many of the steps that wait it has taken.
  var taken = 0
  /// Logarithm of its likelihood, the best at 0, and what has come to it since they were last judged.
  var logLikelihood = 0.0, gain = 0.0
  // At the newest measurement:
  var yaw = 0.0, yawVariance = 0.0, agreement = 1.0
}

/// What a bank keeps for all of its navigators.
struct BankNotes: Sendable {
  /// The newest fix that they have been given.
  var newestFix: GNSSFix?
  /// How they get their directions.
  var orientation: BankOrientation?
}

/// Memory for the navigators of a bank, and for what they have yet to take, that is allocated once.
struct BankMemory<Recorder: StepRecorder>: Sendable {
  fileprivate var navigators: [Navigator<Recorder>] = []
  fileprivate var steps: [BankStep] = []
  /// One for each navigator.
  fileprivate var standings: [BankStanding] = []
  /// One, too large to be handed about with the bank.
  fileprivate var notes: [BankNotes] = []

  /// Room for so many; `navigator` fills it, where there is one.
  init(navigators count: Int, steps capacity: Int, writing navigator: Navigator<Recorder>?) {
    standings = Array(repeating: BankStanding(), count: count)
    notes = [BankNotes()]
    if let navigator {
      navigators = Array(repeating: navigator, count: count)
      steps = Array(repeating: .coast(to: navigator.time), count: capacity)
      steps.removeAll(keepingCapacity: true)
    } else {
      navigators.reserveCapacity(count)
      steps.reserveCapacity(capacity)
    }
  }

  /// None.
  fileprivate init() {}
}

/// Memory that banks take turns with, so that none is allocated while the heading is sought.
struct BankPool<Recorder: StepRecorder>: Sendable {
  private var free: [BankMemory<Recorder>] = []
  /// Memory for so many banks is kept.
  private let count: Int

  /// Keeps none: where navigators have a history, it would outlast them.
  init() { count = 0 }

  /// Sets memory for `count` banks aside, and fills it with copies of `navigator`: a system gives memory only
  /// then, and takes its time.
  init(count: Int, writing navigator: Navigator<Recorder>) {
    self.count = count
    free = (0..<count).map { _ in HeadingFilterBank.memory(writing: navigator) }
  }

  mutating func take() -> BankMemory<Recorder> { free.popLast() ?? HeadingFilterBank.memory() }

  mutating func put(back memory: consuming BankMemory<Recorder>) {
    if free.count < count { free.append(memory) }
  }
}

/// The navigators of a bank, and the steps that wait for them.
///
/// A copy of a bank shares its navigators with the bank that it is a copy of: each is copied when it
/// next changes, so that no call has to copy all of them. The bank that it is a copy of must not
/// change before ``ownAll()``.
struct BankNavigators<Recorder: StepRecorder>: Sendable {
  private var memory: BankMemory<Recorder>
  /// Navigators of the bank that this is a copy of, and which of them are still in use here.
  private var shared: [Navigator<Recorder>] = []
  private var isShared = InlineArray<8, Bool>(repeating: false)
  private var sharedCount = 0
  private(set) var count = 0

  /// Work of copying one, in steps of the strapdown. [chosen: 0.4 µs in a loop, as measured, where a
  /// step takes 0.45, and more where its 17 kB are in no cache]
  private static var copyWork: Int { 3 }

  /// None yet.
  init(_ memory: consuming BankMemory<Recorder>) {
    self.memory = memory
    notes = BankNotes()
  }

  /// What has been given to the bank and not been taken by all of them.
  var steps: [BankStep] {
    @inline(__always) _read { yield memory.steps }
    @inline(__always) _modify { yield &memory.steps }
  }

  /// What is known of each without looking into it.
  var standings: [BankStanding] {
    @inline(__always) _read { yield memory.standings }
    @inline(__always) _modify { yield &memory.standings }
  }

  /// What is kept for all of them.
  var notes: BankNotes {
    @inline(__always) _read { yield memory.notes[0] }
    @inline(__always) _modify { yield &memory.notes[0] }
  }

  subscript(_ i: Int) -> Navigator<Recorder> { isShared[i] ? shared[i] : memory.navigators[i] }

  /// Work that it takes besides to change the `i`-th, in steps of the strapdown.
  func workToChange(_ i: Int) -> Int { isShared[i] ? Self.copyWork : 0 }

  /// Lets `body` change the `i`-th where it lies, or look at it: to read it from outside would copy it.
  @discardableResult @inline(__always) mutating func change<Result>(
    _ i: Int, _ body: (inout Navigator<Recorder>) -> Result
  ) -> Result {
    if isShared[i] { copy(i) }
    return body(&memory.navigators[i])
  }

  /// Begins with one navigator, and room for others.
  mutating func begin(with navigator: Navigator<Recorder>) {
    removeAll()
    // Of memory that was used before only the elements are written anew.
    if memory.navigators.isEmpty {
      memory.navigators.append(navigator)
    } else {
      memory.navigators[0] = navigator
    }
    count = 1
  }

  /// Begins anew with one of those that there are, and room for others.
  mutating func keepOnly(_ i: Int) {
    if isShared[i] { copy(i) }
    memory.navigators.swapAt(0, i)
    removeAll()
    count = 1
  }

  /// Makes the first navigator stand for so many, each of which becomes one of its own by
  /// ``copyFirst(to:)``, the second one first.
  mutating func stand(for count: Int) { self.count = count }

  /// Puts a copy of the first navigator in the place of the `i`-th.
  mutating func copyFirst(to i: Int) {
    if isShared[0] { copy(0) }
    guard i > 0 else { return }
    if isShared[i] { stopSharing(i) }
    if i == memory.navigators.count { return memory.navigators.append(memory.navigators[0]) }
    memory.navigators.withUnsafeMutableBufferPointer { navigators in
      if let first = navigators.baseAddress { (first + i).update(from: first, count: 1) }
    }
  }

  private mutating func removeAll() {
    memory.steps.removeAll(keepingCapacity: true)
    for i in memory.standings.indices { memory.standings[i] = BankStanding() }
    stopSharing()
  }

  /// Copies those that are still shared.
  mutating func ownAll() {
    for i in 0..<count where isShared[i] { copy(i) }
  }

  @inline(never) private mutating func copy(_ i: Int) {
    let shared = shared
    shared.withUnsafeBufferPointer { shared in
      memory.navigators.withUnsafeMutableBufferPointer { navigators in
        // From one place to the other, without a copy on the way, here and above.
        if let from = shared.baseAddress, let to = navigators.baseAddress {
          (to + i).update(from: from + i, count: 1)
        }
      }
    }
    stopSharing(i)
  }

  private mutating func stopSharing(_ i: Int) {
    isShared[i] = false
    sharedCount -= 1
    if sharedCount == 0 { shared = [] }
  }

  /// Gives up the navigators of another bank, in a bank that is given up itself: that one's
  /// memory is its own again.
  mutating func stopSharing() {
    isShared = InlineArray(repeating: false)
    sharedCount = 0
    shared = []
  }

  /// Takes other memory, and shares the navigators in the memory so far, which are those of the
  /// bank that this is a copy of.
  mutating func share(using other: consuming BankMemory<Recorder>) {
    var own = other
    own.steps.removeAll(keepingCapacity: true)
    own.steps.append(contentsOf: memory.steps)
    for i in own.standings.indices { own.standings[i] = memory.standings[i] }
    own.notes[0] = memory.notes[0]
    while own.navigators.count < memory.navigators.count {
      own.navigators.append(memory.navigators[own.navigators.count])
    }
    shared = memory.navigators
    memory = own
    // Not those that have yet to be made of the first.
    sharedCount = min(count, shared.count)
    for i in 0..<sharedCount { isShared[i] = true }
  }

  /// Gives up the navigators, and the memory that they are in.
  mutating func takeMemory() -> BankMemory<Recorder> {
    var taken = BankMemory<Recorder>()
    swap(&taken, &memory)
    count = 0
    stopSharing()
    return taken
  }
}
