import Navigation
import SensorEvents
import Sensors
import TestParts
import Testing

/// Bytes to lines to reports.
struct LineTests {
  private func lines(_ chunks: [String]) -> (lines: [String], overlong: Int) {
    var splitter = LineSplitter()
    var lines: [String] = []
    for chunk in chunks {
      chunk.utf8.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { bytes in
        splitter.add(bytes) { lines.append(String(cString: $0)) }
      }
    }
    return (lines, splitter.overlong)
  }

  @Test func linesAreWholeHoweverTheyAreCut() {
    let text = "{\"a\":1}\r\n{\"b\":2}\r\n\n{\"c\":3}\n{\"d\""
    let expected = ["{\"a\":1}\r", "{\"b\":2}\r", "{\"c\":3}"]
    for length in 1...text.utf8.count {
      var chunks: [String] = []
      var rest = Substring(text)
      while !rest.isEmpty {
        chunks.append(String(rest.prefix(length)))
        rest = rest.dropFirst(length)
      }
      #expect(lines(chunks).lines == expected)
    }
  }

  @Test func aLineBeyondTheLimitIsSkippedAndCountedOnce() {
    let long = String(repeating: "x", count: LineSplitter.limit + 1)
    let (lines, overlong) = lines(["first\n", long, long, "\nlast\n"])
    #expect(lines == ["first", "last"])
    #expect(overlong == 1)
    #expect(
      self.lines([String(repeating: "y", count: LineSplitter.limit) + "\n"]).lines.first?.count
        == LineSplitter.limit)
  }

  private func report(_ text: String) -> GPSDReport? {
    var line = text.utf8.map { CChar(bitPattern: $0) } + [0]
    return line.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { LibgpsDecoder().decode($0) } }
  }

  @Test func aTPVIsDecoded() {
    guard
      case .position(let position)? = report(
        #"{"class":"TPV","device":"/dev/x","status":2,"mode":3,"time":"2026-05-26T16:52:45.250Z","lat":51.5,"lon":-0.02,"#
          + #""altHAE":53.11,"altMSL":7.6,"geoidSep":45.5,"epx":2.4,"epy":2.6,"epv":2.8,"eph":2.1,"eps":0.5,"epd":3,"#
          + #""track":314.2,"speed":0.3,"velN":0.1,"velE":0.2,"velD":-0.4}"#)
    else {
      Issue.record("no TPV")
      return
    }
    #expect(position.device == "/dev/x")
    #expect(position.time == Timestamp(nanoseconds: 1_779_814_365_250_000_000))
    #expect(position.mode == 3 && position.status == .differential)
    #expect(position.latitude == 51.5 && position.longitude == -0.02)
    #expect(
      position.heightAboveEllipsoid == 53.11 && position.heightAboveSeaLevel == 7.6
        && position.geoidHeight == 45.5)
    #expect(
      [position.epx, position.epy, position.epv, position.eph, position.eps, position.epd] == [
        2.4, 2.6, 2.8, 2.1, 0.5, 3,
      ])
    #expect([position.track, position.speed] == [314.2, 0.3])
    // libgps 3.22 does not read these; later ones do.
    let velocity = [position.velocityNorth, position.velocityEast, position.velocityDown]
    #expect(velocity == [0.1, 0.2, -0.4] || velocity.allSatisfy(\.isNaN))
  }

  @Test func whatATPVDoesNotSayIsNotANumberAndNothingIsLeftFromTheLineBefore() {
    let decoder = LibgpsDecoder()
    func decode(_ text: String) -> GPSDReport? {
      var line = text.utf8.map { CChar(bitPattern: $0) } + [0]
      return line.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { decoder.decode($0) } }
    }
    _ = decode(
      #"{"class":"TPV","mode":3,"time":"2026-05-26T16:52:45Z","lat":1,"lon":2,"velN":5,"speed":3,"eph":9}"#)
    guard case .position(let position)? = decode(#"{"class":"TPV","mode":2,"lat":1}"#) else {
      Issue.record("no TPV")
      return
    }
    #expect(position.time == nil)
    let absent = [
      position.longitude, position.velocityNorth, position.velocityEast, position.velocityDown,
      position.speed,
      position.track, position.eph, position.epx, position.epy, position.epv, position.eps, position.epd,
      position.heightAboveEllipsoid, position.heightAboveSeaLevel, position.geoidHeight,
    ]
    #expect(absent.allSatisfy { $0.isNaN })
    // A SKY after a TPV is no TPV.
    guard
      case .sky? = decode(#"{"class":"SKY","device":"x","hdop":1.2,"satellites":[{"PRN":1,"used":true}]}"#)
    else {
      Issue.record("no SKY")
      return
    }
  }

  @Test func satellitesClocksStatisticsAndDevicesAreDecoded() {
    guard
      case .sky(let sky, "/dev/x")? = report(
        #"{"class":"SKY","device":"/dev/x","hdop":0.9,"satellites":[{"PRN":301,"el":40,"az":83,"ss":46,"used":true,"#
          + #""gnssid":2,"svid":1},{"PRN":12,"used":false}]}"#)
    else {
      Issue.record("no SKY")
      return
    }
    #expect(sky.visible == 2 && sky.used == 1 && sky.hdop == 0.9)
    #expect(
      sky.satellites.first
        == SkyReading.Satellite(
          constellation: 2, number: 1, elevationDegrees: 40, azimuthDegrees: 83, strength: 46, isUsed: true))
    #expect(sky.satellites.last?.elevationDegrees == nil)
    let clocks =
      #""device":"/dev/x","real_sec":1779814365,"real_nsec":7,"clock_sec":1779814366,"clock_nsec":9"#
    for (name, isPulse) in [("TOFF", false), ("PPS", true)] {
      guard case .offset(let offset)? = report("{\"class\":\"\(name)\",\(clocks)}") else {
        Issue.record("no \(name)")
        return
      }
      #expect(
        offset
          == GPSDOffset(
            device: "/dev/x", receiver: Timestamp(nanoseconds: 1_779_814_365_000_000_007),
            realtime: Timestamp(nanoseconds: 1_779_814_366_000_000_009), isPulse: isPulse))
    }
    guard
      case .errors(let errors)? = report(
        #"{"class":"GST","device":"/dev/x","time":"2026-05-26T16:52:45Z","rms":2,"lat":3.1,"lon":2.6,"alt":5.5}"#
      )
    else {
      Issue.record("no GST")
      return
    }
    #expect(errors.north == 3.1 && errors.east == 2.6 && errors.up == 5.5)
    guard case .device(let gone)? = report(#"{"class":"DEVICE","path":"/dev/x","activated":0}"#),
      case .devices(let list)? = report(
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/y","activated":"2026-05-26T16:52:45Z"}]}"#
      )
    else {
      Issue.record("no device")
      return
    }
    #expect(gone == GPSDDevice(path: "/dev/x", isActive: false))
    #expect(list == [GPSDDevice(path: "/dev/y", isActive: true)])
  }

  @Test(.timeLimit(.minutes(5))) func listsOfDevicesThatLibgpsHangsOnAreRead() {
    func list(_ devices: [String]) -> [GPSDDevice]? {
      let text = devices.map { "{\"class\":\"DEVICE\",\($0)}" }.joined(separator: ",")
      guard case .devices(let list)? = report("{\"class\":\"DEVICES\",\"devices\":[\(text)]}") else {
        return nil
      }
      return list
    }
    let active = #""activated":"2026-05-26T16:52:45Z""#
    let six = (0..<6).map { "\"path\":\"/dev/\($0)\",\(active)" }
    #expect(list(six) == (0..<6).map { GPSDDevice(path: "/dev/\($0)", isActive: true) })
    #expect(list([]) == [])
    #expect(
      list([#""path":"/dev/}{\"\\",\#(active)"#, #""path":"/dev/y","activated":0"#])?.last?.path == "/dev/y")
    #expect(
      list([#""path":"/dev/y","key":{"a":[1]},\#(active)"#, #""path":"/dev/z",\#(active)"#])?.last?.path
        == "/dev/z")
    #expect(list(["\"path\":\"/dev/y\",\"subtype\":\"\(String(repeating: "q", count: 300))\""]) != nil)
  }

  @Test func datesThatAreNoneGiveNoTime() {
    for date in ["9999-01-01T00:00:00Z", "garbage", "", "1969-12-31T23:59:59Z", "2026-99-99T99:99:99Z"] {
      guard
        case .position(let position)? = report(#"{"class":"TPV","mode":3,"time":"\#(date)","lat":1,"lon":2}"#)
      else {
        continue  // refused as a whole
      }
      // A month of 99 is a date to libgps, some years on.
      #expect(position.time == nil || date.hasPrefix("2026"))
    }
  }

  @Test func unknownClassesAndBrokenLinesAreNothing() {
    for text in [
      #"{"class":"NEWCLASS","x":[1,2,{"y":3}]}"#, "{}", "{", "hello", #"{"class"#,
      #"{"class":"SKY","satellites":[{]}"#,
      #"{"class":"IMU","acc_x":1}"#, "", "\u{0}", "$GPRMC,1,2,3",
    ] {
      #expect(report(text) == nil, "\(text)")
    }
  }

  /// Every cut of real lines, and thousands of them with bytes changed: libgps must neither crash nor hang.
  @Test(.timeLimit(.minutes(5))) func damagedLinesDoNoHarm() {
    let decoder = LibgpsDecoder()
    let lines = [
      #"{"class":"TPV","device":"/dev/x","status":2,"mode":3,"time":"2026-05-26T16:52:45.250Z","lat":51.5,"lon":-0.02}"#,
      #"{"class":"SKY","device":"/dev/x","hdop":0.9,"satellites":[{"PRN":301,"el":40,"used":true},{"PRN":2}]}"#,
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/y","activated":"2026-05-26T16:52:45Z"}]}"#,
      #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
    ]
    var dice = Dice(seed: 1)
    var decoded = 0
    func decode(_ bytes: [CChar]) {
      var line = bytes + [0]
      line.withUnsafeMutableBufferPointer {
        if let base = $0.baseAddress, decoder.decode(base) != nil { decoded += 1 }
      }
    }
    for line in lines {
      let bytes = line.utf8.map { CChar(bitPattern: $0) }
      for length in 0...bytes.count { decode(Array(bytes[..<length])) }
      for _ in 0..<2000 {
        var damaged = bytes
        for _ in 0...dice.below(4) {
          damaged[dice.below(damaged.count)] = CChar(truncatingIfNeeded: dice.below(256))
        }
        decode(damaged)
      }
    }
    #expect(decoded > 0)
  }
}
