import Location
import Navigation
import TestParts
import Testing

@Suite struct DeferralTests {
  private func moving(_ i: Int) -> Location { Made.location(north: Double(i) * 10, at: Double(i)) }

  @Test func deferredLocationsComeInOneBatchWhenTheDistanceIsTravelled() {
    var deferral = Deferral()
    #expect(deferral.allow(number: 1, untilTraveled: 95, timeout: 600, at: Made.time(0)).isEmpty)
    for i in 0..<10 { #expect(deferral.offer(moving(i), at: Made.time(Double(i))).isEmpty) }
    let outputs = deferral.offer(moving(10), at: Made.time(10))
    #expect(outputs == [.deliver((0...10).map(moving)), .finished(number: 1, .traveled)])
    // The next goes through at once.
    #expect(deferral.offer(moving(11), at: Made.time(11)) == [.deliver([moving(11)])])
  }

  @Test func deferredLocationsComeInOneBatchWhenTheTimeIsUp() {
    var deferral = Deferral()
    _ = deferral.allow(number: 4, untilTraveled: .infinity, timeout: 20, at: Made.time(0))
    #expect(deferral.offer(moving(0), at: Made.time(1)).isEmpty)
    #expect(deferral.tick(at: Made.time(19.9)).isEmpty)
    #expect(deferral.tick(at: Made.time(20)) == [.deliver([moving(0)]), .finished(number: 4, .timedOut)])
    #expect(deferral.tick(at: Made.time(21)).isEmpty)
  }

  @Test func deferralASecondCallReplacesTheFirstAndFinishesIt() {
    var deferral = Deferral()
    _ = deferral.allow(number: 1, untilTraveled: 1000, timeout: 600, at: Made.time(0))
    _ = deferral.offer(moving(0), at: Made.time(0))
    #expect(
      deferral.allow(number: 2, untilTraveled: 1000, timeout: 5, at: Made.time(1))
        == [.finished(number: 1, .replaced)])
    // What was held under the first is delivered by the second.
    #expect(deferral.tick(at: Made.time(6)) == [.deliver([moving(0)]), .finished(number: 2, .timedOut)])
  }

  @Test func deferralFinishesWithTheReasonOnDisallowStopAndError() {
    func begun() -> Deferral {
      var deferral = Deferral()
      _ = deferral.allow(number: 1, untilTraveled: 1000, timeout: 600, at: Made.time(0))
      _ = deferral.offer(moving(0), at: Made.time(0))
      return deferral
    }
    var (a, b, c) = (begun(), begun(), begun())
    #expect(a.disallow() == [.deliver([moving(0)]), .finished(number: 1, .disallowed)])
    #expect(b.stop(.stopped) == [.finished(number: 1, .stopped)])
    #expect(c.stop(.denied) == [.finished(number: 1, .denied)])
    #expect(a.disallow().isEmpty && b.disallow().isEmpty && c.stop(.stopped).isEmpty)
  }

  @Test func deferralThatCannotBeSaysWhyAtOnce() {
    var service = StandardService()
    func reason(_ traveled: Double = 100, _ timeout: Double = 60) -> [StandardService.Output] {
      service.allowDeferredUpdates(
        number: 9, untilTraveled: traveled, timeout: timeout, at: Made.time(0))
    }
    #expect(reason() == [.finished(number: 9, .notUpdating)])
    _ = service.start(session: 1, cached: nil, at: Made.time(0))
    #expect(reason(.nan) == [.finished(number: 9, .invalid)])
    #expect(reason(100, -1) == [.finished(number: 9, .invalid)])
    var settings = StandardService.Settings()
    settings.distanceFilter = 10
    service.configure(settings)
    #expect(reason() == [.finished(number: 9, .distanceFiltered)])
    // Core Location's word for none.
    settings.distanceFilter = -1
    settings.desiredAccuracy = .hundredMeters
    service.configure(settings)
    #expect(reason() == [.finished(number: 9, .accuracyTooLow)])
  }

  @Test func deferralHoldsNoMoreThanItsCapacity() {
    var deferral = Deferral()
    _ = deferral.allow(number: 1, untilTraveled: .infinity, timeout: .infinity, at: Made.time(0))
    var outputs: [Deferral.Output] = []
    for i in 0..<Deferral.capacity {
      #expect(outputs.isEmpty)
      outputs = deferral.offer(Made.location(at: Double(i)), at: Made.time(Double(i)))
    }
    #expect(outputs.last == .finished(number: 1, .full))
    #expect(!deferral.isActive)
  }

  /// 100,000 random sequences of calls and events: each call is finished once, in order, and every location
  /// held is delivered once or dropped by a stop.
  @Test func deferralFinishesExactlyOncePerCall() {
    var dice = Dice(seed: 1)
    for sequence in 0..<100_000 {
      var service = StandardService()
      var calls: Int64 = 0
      var finished: [Int64] = []
      var told: [Timestamp] = []
      var seconds = 0.0
      func take(_ outputs: [StandardService.Output]) {
        for output in outputs {
          switch output {
          case .finished(let number, _): finished.append(number)
          case .locations(let batch): told += batch.map(\.timestamp)
          case .paused, .resumed: break
          }
        }
      }
      for _ in 0..<12 {
        seconds += dice.uniform() * 3
        let now = Made.time(seconds)
        switch dice.next() % 8 {
        case 0: take(service.start(session: Int64(seconds * 1000), cached: nil, at: now))
        case 1: take(service.stop())
        case 2: take(service.stop(.denied))
        case 3, 4:
          calls += 1
          take(
            service.allowDeferredUpdates(
              number: calls, untilTraveled: dice.uniform() * 60 - 5, timeout: dice.uniform() * 10 - 1,
              at: now))
        case 5: take(service.disallowDeferredUpdates())
        case 6: take(service.tick(at: now))
        default: take(service.offer(Made.location(north: seconds * 5, at: seconds), at: now))
        }
      }
      take(service.stop())
      guard finished == (0..<calls).map({ $0 + 1 }), told == told.sorted(), Set(told).count == told.count
      else {
        Issue.record("sequence \(sequence): \(calls) calls, finished \(finished), told \(told)")
        return
      }
    }
  }
}
