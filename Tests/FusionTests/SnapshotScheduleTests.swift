import Fusion
import Navigation
import Testing

/// Times of the snapshots that are taken from `start` to `end` while samples come at 100 Hz,
/// `next` being known or not.
private func snapshots(
  _ schedule: SnapshotSchedule, from start: Double, to end: Double, isReplay: Bool, hasBank: Bool = false
) -> [Double] {
  var (newest, taken) = (start, [Double]())
  for tick in 1...Int((end - start) * 100 + 0.5) {
    let time = start + Double(tick) / 100
    guard time - newest >= SnapshotSchedule.leastInterval else { continue }
    let isDue = schedule.isDue(
      at: Timestamp(seconds: time), elapsed: time - newest, isBusy: false, hasBank: hasBank,
      next: isReplay ? Timestamp(seconds: time + 0.01) : nil)
    if isDue {
      newest = time
      taken.append((time * 100).rounded() / 100)
    }
  }
  return taken
}

private func late(_ times: [Double], newest: Double) -> SnapshotSchedule {
  var schedule = SnapshotSchedule()
  for time in times {
    schedule.noteLate(fix: Timestamp(seconds: time), newest: Timestamp(seconds: newest))
  }
  return schedule
}

/// Snapshots of the engine's state are where late samples will want them.
@Suite struct SnapshotScheduleTests {
  @Test func theNextLateFixFindsASnapshotJustBeforeIt() {
    let schedule = late([9, 10], newest: 10.3)
    #expect(snapshots(schedule, from: 10.33, to: 11.1, isReplay: false).contains(10.98))
    // Where the samples are there already it is known which is the last before it.
    let dense = late([9.8, 10], newest: 10.3)
    #expect(snapshots(dense, from: 10, to: 10.3, isReplay: true) == [10.19])
  }

  @Test func aReplayTakesNoSnapshotsThatNothingGoesBackTo() {
    #expect(snapshots(late([9, 10], newest: 10.3), from: 10, to: 10.3, isReplay: true).isEmpty)
    #expect(snapshots(late([10], newest: 10.3), from: 10, to: 10.35, isReplay: true).count == 3)
  }

  @Test func snapshotsAreSeldomWhereNothingIsLate() {
    #expect(snapshots(SnapshotSchedule(), from: 10, to: 20, isReplay: false).count == 20)
  }
}
