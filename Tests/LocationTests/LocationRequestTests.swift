import Location
import Navigation
import Testing

@Suite struct LocationRequestTests {
  @Test func rule5RequestLocationAnswersOnceTheWishIsMet() throws {
    var request = OneShotRequest(wish: .nearestTenMeters, within: 30, at: Made.time(0))
    #expect(request.offer(Made.location(accuracy: 90, at: 1), at: Made.time(1)) == nil)
    let good = Made.location(accuracy: 9, at: 2)
    #expect(try request.offer(good, at: Made.time(2))?.get() == good)
  }

  @Test func rule5RequestLocationGivesTheBestWithinTheTimeLimit() throws {
    var request = OneShotRequest(wish: .best, within: 10, at: Made.time(0))
    let offered = [70.0, 30, 40].enumerated().map { Made.location(accuracy: $1, at: Double($0 + 1)) }
    for location in offered { #expect(request.offer(location, at: location.timestamp) == nil) }
    #expect(request.tick(at: Made.time(9.9), unknown: nil) == nil)
    #expect(try request.tick(at: Made.time(10), unknown: nil)?.get() == offered[1])
  }

  @Test func rule5RequestLocationWithoutAnySaysWhy() {
    var request = OneShotRequest(wish: .best, within: 10, at: Made.time(0))
    #expect(request.offer(Made.location(accuracy: -1, at: 1), at: Made.time(1)) == nil)
    // What was known long before is no answer, however accurate.
    #expect(request.offer(Made.location(accuracy: 1, at: -60), at: Made.time(2)) == nil)
    #expect(
      request.tick(at: Made.time(10), unknown: .sourceUnreachable)
        == .failure(.locationUnknown(.sourceUnreachable)))
  }

  @Test func rule5BestOfGivesTheMostAccurateOfN() throws {
    var request = BestOfRequest(3, within: 60, at: Made.time(0))
    #expect(request.offer(Made.location(accuracy: 8, at: 1), at: Made.time(1)) == nil)
    #expect(request.offer(Made.location(accuracy: 3, at: 2), at: Made.time(2)) == nil)
    let best = try request.offer(Made.location(accuracy: 6, at: 3), at: Made.time(3))?.get()
    #expect(best?.horizontalAccuracy == 3)
  }

  @Test func rule5BestOfDropsStaleAndInvalidOnes() throws {
    var request = BestOfRequest(2, within: 60, at: Made.time(0))
    var cached = Made.location(accuracy: 1, at: 1)
    cached.sources.insert(.cached)
    #expect(request.offer(cached, at: Made.time(1)) == nil)
    #expect(request.offer(Made.location(accuracy: 1, at: -1), at: Made.time(1)) == nil)
    #expect(request.offer(Made.location(accuracy: -1, at: 1), at: Made.time(1)) == nil)
    let first = Made.location(accuracy: 20, at: 2)
    #expect(request.offer(first, at: Made.time(2)) == nil)
    // Told twice it is still one.
    #expect(request.offer(first, at: Made.time(2.1)) == nil)
    let answer = try request.offer(Made.location(accuracy: 30, at: 3), at: Made.time(3))?.get()
    #expect(answer == first)
  }

  @Test func rule5BestOfAnswersWithWhatItHasWhenTheTimeIsUp() throws {
    var request = BestOfRequest(100, within: 5, at: Made.time(0))
    #expect(request.tick(at: Made.time(5), unknown: nil) == .failure(.locationUnknown(.searching)))
    let only = Made.location(accuracy: 20, at: 2)
    #expect(request.offer(only, at: Made.time(2)) == nil)
    #expect(try request.tick(at: Made.time(5), unknown: nil)?.get() == only)
  }

  @Test func rule5ALimitThatIsNoneEndsAtOnce() {
    for limit in [Double.nan, -1, 0] {
      let request = OneShotRequest(wish: .best, within: limit, at: Made.time(0))
      #expect(request.tick(at: Made.time(0.1), unknown: nil) != nil)
    }
  }
}
