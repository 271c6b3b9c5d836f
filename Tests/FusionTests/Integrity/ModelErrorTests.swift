import Fusion
import Simulation
import Testing

/// What the solution states beside the filter's own covariance.
@Suite struct ModelErrorTests {
  private static let ride = Ride(Ride.short)

  /// The solution after the ride, and while the heading is sought, by an engine with this model error.
  private func solutions(_ change: (inout ModelError) -> Void) throws -> (
    end: NavigationSolution, early: NavigationSolution
  ) {
    var configuration = FusionConfiguration()
    change(&configuration.modelError)
    var engine = FusionEngine(configuration: configuration)
    var early: NavigationSolution?
    for sample in Self.ride.samples {
      engine.process(sample)
      if early == nil, sample.time.seconds > 2 { early = engine.solution(at: sample.time) }
    }
    return (
      try #require(Self.ride.samples.map(\.time).max().flatMap { engine.solution(at: $0) }),
      try #require(early)
    )
  }

  private static func none(_ error: inout ModelError) {
    (error.positionScale, error.heightScale, error.positionFloor) = (1, 1, 0)
    (error.velocityScale, error.velocityFloor) = (1, 0)
    (error.attitudeScale, error.attitudeFloor) = (1, 0)
  }

  @Test func itChangesWhatIsStatedAndNothingElse() throws {
    let plain = try solutions(Self.none)
    let scaled = try solutions {
      ($0.positionScale, $0.heightScale, $0.velocityScale, $0.attitudeScale) = (2, 3, 4, 5)
      ($0.velocityFloor, $0.attitudeFloor, $0.positionFloor) = (0, 0, 0)
    }
    for (a, b) in [(plain.end, scaled.end), (plain.early, scaled.early)] {
      #expect(a.position == b.position && a.velocityNED == b.velocityNED && a.mode == b.mode)
      #expect(a.navFromVehicle == b.navFromVehicle)
      #expect(abs(b.horizontalAccuracy / a.horizontalAccuracy - 2) < 1e-6)
      #expect(abs(b.verticalAccuracy / a.verticalAccuracy - 3) < 1e-6)
    }
    #expect(plain.end.isAligned)
    // The last fractions of a second are predicted, which adds a little of its own.
    #expect(abs(scaled.end.speedAccuracy / plain.end.speedAccuracy - 4) < 0.2)
    #expect(abs(scaled.end.headingAccuracy / plain.end.headingAccuracy - 5) < 0.2)
  }

  @Test func nothingIsKnownBetterThanTheFloors() throws {
    let floored = try solutions {
      Self.none(&$0)
      ($0.velocityFloor, $0.attitudeFloor, $0.positionFloor) = (3, 0.5, 40)
    }
    #expect(floored.end.speedAccuracy > 3 && floored.end.headingAccuracy > 0.5)
    #expect(floored.end.horizontalAccuracy > 40)
    #expect(floored.early.speedAccuracy > 3)
    let plain = try solutions(Self.none)
    #expect(plain.end.speedAccuracy < 1 && plain.end.headingAccuracy < 0.2)
    #expect(plain.end.horizontalAccuracy < 40)
  }

  /// Cross terms are scaled with their rows and columns: a correlation stays what it is.
  @Test func aCorrelationStays() throws {
    func correlation(_ p: Matrix3) -> Double { p.x.z / (p.x.x * p.z.z).squareRoot() }
    let plain = try solutions(Self.none).end.positionCovariance
    let scaled = try solutions {
      Self.none(&$0)
      $0.heightScale = 7
    }.end.positionCovariance
    #expect(abs(correlation(plain) - correlation(scaled)) < 1e-9)
    #expect(scaled.cholesky != nil)
  }
}
