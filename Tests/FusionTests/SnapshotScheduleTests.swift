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

  @Test func noOthersAreTakenWhereLateFixesComeWhenForeseen() {
    var schedule = late([9, 9.2, 9.4], newest: 9.7)
    // A minute later, when the first of them, which nobody could foresee, is forgotten.
    for tick in 48...400 {
      let time = Double(tick) / 5
      schedule.noteLate(fix: Timestamp(seconds: time), newest: Timestamp(seconds: time + 0.3))
    }
    #expect(snapshots(schedule, from: 80, to: 80.3, isReplay: true) == [80.19])
    #expect(snapshots(schedule, from: 80.19, to: 80.39, isReplay: false) == [])
    // One that comes at another time was not foreseen.
    schedule.noteLate(fix: Timestamp(seconds: 80.27), newest: Timestamp(seconds: 80.5))
    #expect(snapshots(schedule, from: 80.5, to: 80.85, isReplay: false).count == 3)
  }

  @Test func snapshotsAreSeldomWhereNothingIsLate() {
    #expect(snapshots(SnapshotSchedule(), from: 10, to: 20, isReplay: false).count == 20)
  }
}
