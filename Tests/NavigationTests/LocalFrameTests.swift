import CLibrary
import Navigation
import Testing

@Suite struct LocalFrameTests {
  private let origins = [
    (0.0, 0.0), (47.5, 8.7), (52.5, 13.4), (-33.9, 151.2), (35.6, 179.9999), (60, -180), (-80, 12),
  ].map { GeodeticPosition(latitudeDegrees: $0.0, longitudeDegrees: $0.1, height: 430) }

  @Test func frameGoesRoundTripEverywhere() {
    for origin in origins + [GeodeticPosition(latitude: .pi / 2, longitude: 0, height: 0)] {
      let frame = LocalFrame(origin: origin)
      #expect(frame.ned(origin) == .zero)
      for offset in [Vector3(1, -2, 3), Vector3(-5000, 80_000, -900), Vector3(2e5, 1e5, 50)] {
        #expect((frame.ned(frame.geodetic(ned: offset)) - offset).norm < 1e-8)
      }
    }
  }

  @Test func movedUndoesNED() {
    for origin in origins {
      for offset in [Vector3(0.001, -0.002, 0.003), Vector3(15, 40, -3), Vector3(-1000, 2000, 100)] {
        let moved = origin.moved(byNED: offset)
        #expect((moved.ned(from: origin) - offset).norm < 2e-8)
        #expect(moved.longitude >= -.pi && moved.longitude < .pi)
      }
    }
  }

  /// North and east separately follow the ellipsoid to rounding; both at once feel the meridians converge, by
  /// E · N · tan φ / R and E² · tan φ / 2R.
  @Test func offsetsErrByTheConvergenceOfMeridians() {
    for origin in origins {
      let frame = LocalFrame(origin: origin)
      let convergence = abs(tan(origin.latitude)) / WGS84.semiMajorAxis
      for (north, east) in [(60.0, 80.0), (-80, 60), (0, 100), (600, 800), (-800, -600), (0, 1000)] {
        let offset = Vector3(north, east, 0)
        let straight = frame.ned(origin.moved(byNED: offset))
        let bound = (abs(north * east) + east * east / 2) * convergence
        #expect((straight - offset).horizontalNorm < 1.02 * bound + offset.horizontalNorm * 4e-6)
        if offset.horizontalNorm <= 100, abs(origin.latitude) < 0.95 {
          #expect((straight - offset).horizontalNorm < 2.2e-3)
        }
      }
    }
  }

  @Test func aLineNorthIsAsLongAsTheMeridian() {
    for origin in origins {
      // Arc of the meridian by Simpson's rule over 1 km.
      let moved = origin.moved(byNED: Vector3(1000, 0, 0))
      func radius(_ latitude: Double) -> Double {
        WGS84.meridianRadius(sineLatitude: sin(latitude)) + origin.height
      }
      let middle = (origin.latitude + moved.latitude) / 2
      let arc =
        (radius(origin.latitude) + 4 * radius(middle) + radius(moved.latitude)) / 6
        * (moved.latitude - origin.latitude)
      #expect(abs(arc - 1000) < 1e-3)
    }
  }

  @Test func theAntimeridianIsNoEdge() {
    let west = GeodeticPosition(latitudeDegrees: -17, longitudeDegrees: 179.9999, height: 5)
    let east = GeodeticPosition(latitudeDegrees: -17, longitudeDegrees: -179.9999, height: 5)
    let across = east.ned(from: west)
    #expect(abs(across.y - 21.29) < 0.01 && across.x == 0)
    #expect((across + west.ned(from: east)).norm < 1e-8)
    #expect(abs(LocalFrame(origin: west).ned(east).y - across.y) < 1e-6)
    let moved = west.moved(byNED: Vector3(0, 21.3, 0))
    #expect(moved.longitude < 0)
  }
}
