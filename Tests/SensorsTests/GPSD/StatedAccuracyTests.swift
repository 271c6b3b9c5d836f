import Navigation
import SensorEvents
import Sensors
import Testing

/// gpsd's error estimates to standard deviations.
struct StatedAccuracyTests {
  private func sigma(
    _ accuracy: StatedAccuracy, hdop: Double? = nil, _ change: (inout GPSDPosition) -> Void
  ) throws -> Vector3? {
    var decoder = FixDecoder(accuracy: accuracy)
    decoder.take(SkyReading(visible: 9, used: 8, hdop: hdop))
    // A first fix is another matter.
    _ = decoder.take(FixDecoderTests.position(second: -1))
    var position = FixDecoderTests.position()
    change(&position)
    return try FixDecoderTests.reading(decoder.take(position)).fix.positionSigma
  }

  @Test func aReceiversOwnHorizontalFigureCoversBothAxes() throws {
    let sigma = try #require(try sigma(.automatic, hdop: 0.96) { $0.eph = 2.121 })
    #expect(abs(sigma.horizontalNorm - 2.121) < 1e-12)
    #expect(sigma.x == sigma.y)
    #expect(sigma.z == 3)
  }

  @Test func figuresPerAxisOnlyShareItOut() throws {
    let sigma = try #require(
      try sigma(.sigma) {
        $0.eph = 2
        $0.epx = 30
        $0.epy = 40
      })
    #expect(abs(sigma.x - 1.6) < 1e-12)
    #expect(abs(sigma.y - 1.2) < 1e-12)
  }

  @Test func gpsdsOwnEstimateByTheDilutionIsA95PercentFigure() throws {
    // 19 m times an HDOP of 1.01, and 4.75 m with corrections, as gpsd 3.22 states them.
    let plain = try #require(try sigma(.automatic, hdop: 1.01) { $0.eph = 19.19 })
    #expect(abs(plain.horizontalNorm - 19.19 / 2.4477 * 2.0.squareRoot()) < 1e-9)
    #expect(abs(plain.z - 3 / 1.96) < 1e-12)
    let differential = try #require(
      try sigma(.automatic, hdop: 1) {
        $0.eph = 4.75
        $0.status = .differential
      })
    #expect(abs(differential.horizontalNorm - 4.75 / 2.4477 * 2.0.squareRoot()) < 1e-9)
  }

  @Test func theScaleCanBeSaid() throws {
    let wide = try #require(try sigma(.sigma, hdop: 1.01) { $0.eph = 19.19 })
    #expect(abs(wide.horizontalNorm - 19.19) < 1e-9)
    let narrow = try #require(try sigma(.percent95) { $0.eph = 2 })
    #expect(abs(narrow.horizontalNorm - 2 / 2.4477 * 2.0.squareRoot()) < 1e-9)
  }

  @Test func withoutAHorizontalFigureNothingIsStated() throws {
    #expect(try sigma(.automatic) { $0.eph = .nan } == nil)
    for eph in [0, -1, Double.infinity] {
      let sigma = try sigma(.automatic) { $0.eph = eph }
      #expect(sigma == nil)
    }
    let axes = try #require(
      try sigma(.automatic) {
        $0.eph = .nan
        $0.epx = 15
        $0.epy = 16
      })
    #expect(abs(axes.x - 16 / 1.96) < 1e-12 && abs(axes.y - 15 / 1.96) < 1e-12)
    #expect(abs(axes.z - 3 / 1.96) < 1e-12, "gpsd's own figures, the vertical one too")
  }

  @Test func theReceiversStatisticsOfTheEpochComeFirst() throws {
    var decoder = FixDecoder()
    let first = FixDecoderTests.position()
    _ = decoder.take(first)
    let time = try #require(first.time)
    decoder.take(GPSDErrors(device: first.device, time: time, north: 3.1, east: 2.6, up: 5.5))
    let again = FixDecoderTests.position(second: 1)
    #expect(try FixDecoderTests.reading(decoder.take(again)).fix.positionSigma == Vector3(3.1, 2.6, 5.5))
    // It has become twice as bad since.
    var worse = FixDecoderTests.position(second: 1.2)
    worse.eph = 4
    #expect(try FixDecoderTests.reading(decoder.take(worse)).fix.positionSigma == Vector3(6.2, 5.2, 11))
    // Too old, and of another receiver.
    let later = try FixDecoderTests.reading(decoder.take(FixDecoderTests.position(second: 3))).fix
      .positionSigma
    #expect(later?.z == 3)
    decoder.take(
      GPSDErrors(device: "/dev/other", time: Timestamp(seconds: 1_717_243_203), north: 1, east: 1, up: 1))
    let other = try FixDecoderTests.reading(decoder.take(FixDecoderTests.position(second: 3.5))).fix
      .positionSigma
    #expect(other?.z == 3)
  }
}
