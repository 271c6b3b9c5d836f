import Drives
import Foundation
import Navigation
import TestParts

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A drive whose tracks are written, and what such files hold.
enum WrittenTrack {
  /// 1 March 2026, 12:00:00 UTC.
  static let origin = Timestamp(nanoseconds: 1_772_366_400_000_000_000)

  /// A drive to the north-east at 10 Hz; the first two not aligned, one without height.
  static let solutions = (0..<250).map { (i: Int) -> NavigationSolution in
    let x = Double(i)
    let covariance = Matrix3(
      columns: Vector3(4, 0.5, 0.25), Vector3(0.5, 9, 0.125), Vector3(0.25, 0.125, 16))
    return NavigationSolution(
      time: Timestamp(nanoseconds: Int64(i) * 100_000_000), mode: i < 2 ? .aligning : .aided,
      position: GeodeticPosition(
        latitudeDegrees: 50 + x * 1e-5, longitudeDegrees: 8 + x * 1e-5, height: i == 5 ? .nan : 100 + x),
      velocityNED: Vector3(3, 4, 0.5), navFromVehicle: Quaternion(roll: 0.01, pitch: 0.02, yaw: .pi / 4),
      angularRate: .zero, positionCovariance: covariance, velocityCovariance: Matrix3(scalar: 0.25),
      attitudeCovariance: Matrix3(scalar: 0.01))
  }

  static func track(
    _ name: String, origin: Timestamp? = nil, of solutions: [NavigationSolution] = solutions
  ) throws -> Data {
    let scratch = ScratchFolder()
    var writer = try TrackWriter(path: scratch(name), unixTimeOfOrigin: origin)
    for solution in solutions { try writer.write(solution) }
    try writer.finish()
    return Data(try scratch.bytes(name))
  }

  static func lines(_ data: some Collection<UInt8>) -> [[Substring]] {
    String(decoding: data, as: UTF8.self).split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
  }
}

/// The elements of an XML document, in order; an invalid document throws.
final class Elements: NSObject, XMLParserDelegate {
  private(set) var names: [String] = []
  private var texts: [String: String] = [:]
  private var lastAttributes: [String: [String: String]] = [:]

  init(_ data: Data) throws {
    super.init()
    let parser = XMLParser(data: data)
    parser.delegate = self
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
  }

  func count(_ name: String) -> Int { names.count { $0 == name } }
  func text(_ name: String) -> String { texts[name] ?? "" }
  func attributes(_ name: String) -> [String: String] { lastAttributes[name] ?? [:] }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    names.append(name)
    lastAttributes[name] = attributes
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    guard let name = names.last else { return }
    texts[name, default: ""] += string
  }
}
