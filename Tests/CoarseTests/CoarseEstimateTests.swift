import CLibrary
import Coarse
import Location
import TestParts
import Testing

@Suite struct CoarseEstimateTests {
  private static let home = Coordinate(latitudeDegrees: 48, longitudeDegrees: 11)

  private func place(_ north: Double, _ east: Double, of home: Coordinate = home) -> Coordinate {
    let metres = 6_371_008.77 * .pi / 180
    var longitude = home.longitudeDegrees + east / metres / cos(home.latitudeDegrees * .pi / 180)
    if longitude > 180 { longitude -= 360 }
    return Coordinate(latitudeDegrees: home.latitudeDegrees + north / metres, longitudeDegrees: longitude)
  }

  private func point(
    _ north: Double, _ east: Double = 0, _ kind: CoarseAnchor.Kind = .accessPoint, radius: Double = 60,
    strength: Double? = -65, home: Coordinate = home
  ) -> CoarseAnchor {
    CoarseAnchor(kind: kind, place: place(north, east, of: home), radius: radius, strength: strength)
  }

  @Test func accessPointsGiveAbout100MetresAndTheirSource() throws {
    let estimate = try #require(CoarseEstimate([point(20), point(-30, 10), point(0, 25)]))
    #expect(estimate.sources == .wifi && (25...150).contains(estimate.radius))
    #expect(estimate.place.distance(from: Self.home) < 30)
  }

  @Test func aStrongerAccessPointCountsForMore() throws {
    func north(_ strength: Double) throws -> Double {
      let near = point(60, strength: strength), far = point(-60, strength: -70)
      return try #require(CoarseEstimate([near, far])).place.latitudeDegrees
    }
    #expect(try north(-45) > 48 && north(-70) < north(-45) && north(-95) < 48)
  }

  @Test func anAccessPointThatHasMovedPlaysNoPart() throws {
    let still = (0..<4).map { point(Double($0) * 10) }
    let before = try #require(CoarseEstimate(still))
    for distance in [2000.0, 100_000, 8_000_000] {
      #expect(CoarseEstimate(still + [point(0, distance, strength: -30)]) == before)
      #expect(
        CoarseEstimate([point(0, distance, strength: -30)] + still)?.place.distance(from: before.place) ?? 1e9
          < 1000)
    }
  }

  @Test func anAccessPointAloneIsBelievedOnlyWithinReachOfACell() {
    #expect(CoarseEstimate([point(0)]) == nil)
    let cell = point(600, 0, .cell, radius: 800, strength: nil)
    #expect(CoarseEstimate([point(0), cell])?.sources == .wifi)
    #expect(CoarseEstimate([point(50_000), cell])?.sources == .cell)
    // Two that contradict each other: nobody knows which has moved, but for a cell near one of them.
    #expect(CoarseEstimate([point(0), point(9000)]) == nil)
    #expect(CoarseEstimate([point(0), point(5), point(9000), point(9005)]) == nil)
    #expect(CoarseEstimate([point(0), point(9000), cell])?.sources == .cell)
  }

  @Test func accessPointsThatTravelTogetherAreFoundOutByTheCells() throws {
    let bus = [point(30_000), point(30_010), point(30_020)]
    let cells = [point(0, 0, .cell, radius: 900), point(700, 200, .cell, radius: 900)]
    let estimate = try #require(CoarseEstimate(bus + cells))
    #expect(estimate.sources == .cell && estimate.place.distance(from: Self.home) < 1000)
  }

  @Test func aCellGivesAboutItsRadiusAndAGroupItsOwn() throws {
    let cell = try #require(CoarseEstimate([point(0, 0, .cell, radius: 700, strength: -95)]))
    #expect(abs(cell.radius - 770) < 1 && cell.sources == .cell)
    let group = try #require(CoarseEstimate([point(0, 0, .area, radius: 15_000, strength: nil)]))
    #expect(abs(group.radius - 16_500) < 1 && group.sources == .cell)
    // A cell that is known is better than a group.
    #expect(
      CoarseEstimate([point(0, 0, .cell, radius: 700, strength: -95), point(9000, 0, .area, radius: 15_000)])?
        .radius
        == cell.radius)
  }

  @Test func nothingUsableIsNoPlace() {
    #expect(CoarseEstimate([]) == nil)
    for radius in [0, -1, .nan, .infinity] {
      #expect(CoarseEstimate([point(0, 0, .cell, radius: radius)]) == nil)
    }
    let nowhere = Coordinate(latitudeDegrees: .nan, longitudeDegrees: 0)
    #expect(CoarseEstimate([.init(kind: .cell, place: nowhere, radius: 1, strength: nil)]) == nil)
  }

  @Test func placesAreRightAcrossTheDateLineAndNearThePoles() throws {
    for home in [(10.0, 179.9995), (-10, -179.9995), (89.9, 50), (-89.9, 180), (0, 0)] {
      let home = Coordinate(latitudeDegrees: home.0, longitudeDegrees: home.1)
      let anchors = [(30.0, -40.0), (-30, 40), (10, 10), (-10, -10)].map { point($0, $1, home: home) }
      let estimate = try #require(CoarseEstimate(anchors))
      #expect(estimate.place.isValid && estimate.place.distance(from: home) < 15, "\(home) \(estimate)")
    }
  }

  /// Streets made of dice: 2 to 20 access points within 90 m, heard through shadowing of 8 dB, each some
  /// metres from where the database has it, all of them shifted together as those of one survey are, one in
  /// ten carried off by kilometres. The 68 % radius must hold at least about 68 %, and not by being large.
  @Test(arguments: [(2, 3), (4, 8), (9, 20)]) func theRadiusHoldsWhatItSays(_ least: Int, _ most: Int) {
    var dice = Dice(seed: UInt64(least))
    var (held, count, worst, radii) = (0, 0, 0.0, [Double]())
    for _ in 0..<3000 {
      let shift = (dice.normal() * 15, dice.normal() * 15)
      var anchors: [CoarseAnchor] = []
      for _ in 0..<least + Int(dice.uniform() * Double(most - least + 1)) {
        let distance = 3 + dice.uniform() * 87, direction = dice.uniform() * 2 * .pi
        let strength = -40 - 30 * log10(distance) + 8 * dice.normal()
        if strength < -95 { continue }
        var offset = (shift.0 + 30 * dice.normal(), shift.1 + 30 * dice.normal())
        if dice.uniform() < 0.1 {
          offset = (dice.uniform() * 40_000 - 20_000, dice.uniform() * 40_000 - 20_000)
        }
        anchors.append(
          point(
            distance * cos(direction) + offset.0, distance * sin(direction) + offset.1, radius: 45,
            strength: strength))
      }
      guard let estimate = CoarseEstimate(anchors) else { continue }
      let error = estimate.place.distance(from: Self.home)
      count += 1
      worst = max(worst, error / estimate.radius)
      if error <= estimate.radius { held += 1 }
      radii.append(estimate.radius)
    }
    #expect(count > 1000)
    let share = Double(held) / Double(count)
    #expect(share > 0.64, "\(share)")
    #expect(radii.sorted()[count / 2] < 100)
    // Nothing that had moved by kilometres has drawn the place along.
    #expect(worst < 12, "\(worst)")
  }

  @Test func theOrderOfWhatWasHeardPlaysNoPart() throws {
    var dice = Dice(seed: 8)
    for _ in 0..<500 {
      let anchors = (0..<8).map { _ in
        point(dice.normal() * 60, dice.normal() * 60, strength: -60 + 10 * dice.normal())
      }
      #expect(CoarseEstimate(anchors) == CoarseEstimate(anchors.shuffled(using: &dice)))
    }
  }
}
