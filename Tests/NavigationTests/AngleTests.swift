import CLibrary
import Navigation
import Testing

@Suite struct AngleTests {
  @Test func edgesOfTheTurnBelongToOneSide() {
    #expect(Angle.wrapped(.pi) == -.pi)
    #expect(Angle.wrapped(-.pi) == -.pi)
    #expect(Angle.wrapped(Double.pi.nextDown) == Double.pi.nextDown)
    #expect(Angle.wrapped(0) == 0)
    #expect(Angle.positive(0) == 0)
    #expect(Angle.positive(.pi) == .pi)
    #expect(abs(Angle.positive(-0.5 * .pi) - 1.5 * .pi) < 1e-15)
  }

  @Test func whatIsNoAngleStaysNoAngle() {
    for value in [Double.nan, .infinity, -.infinity] {
      #expect(Angle.wrapped(value).isNaN)
      #expect(Angle.positive(value).isNaN)
    }
  }

  /// Right at the edges of every turn, and at everything between, the result lies in the half-open range
  /// and is the same direction.
  @Test func resultsStayInTheirRange() {
    var values: [Double] = [-1e-17, -Double.leastNonzeroMagnitude, 1e-17]
    for turn in -2000...2000 {
      let edge = Double(turn) * .pi
      values += [edge.nextDown, edge, edge.nextUp, edge + 0.3, edge - 1.3]
    }
    for value in values {
      let wrapped = Angle.wrapped(value)
      #expect(wrapped >= -.pi && wrapped < .pi, "\(value) gives \(wrapped)")
      let positive = Angle.positive(value)
      #expect(positive >= 0 && positive < 2 * .pi, "\(value) gives \(positive)")
      let tolerance = 1e-15 * (1 + abs(value))
      #expect(abs(sin(wrapped) - sin(value)) < tolerance && abs(cos(wrapped) - cos(value)) < tolerance)
      #expect(abs(sin(positive) - sin(value)) < tolerance && abs(cos(positive) - cos(value)) < tolerance)
    }
  }

  @Test func degreesAndRadiansUndoEachOther() {
    #expect(Angle.radians(degrees: 180) == .pi)
    #expect(Angle.degrees(radians: -.pi / 2) == -90)
    for value in stride(from: -720.0, through: 720, by: 0.7) {
      #expect(abs(Angle.degrees(radians: Angle.radians(degrees: value)) - value) < 1e-12)
    }
  }
}
