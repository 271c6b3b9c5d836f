import Testing

import Recording

struct ValueImageTests {
  private struct Inner: Equatable {
    var numbers: [Double] = [1, .infinity, -0.0]
    var name = "näme"
    var small: UInt8 = 7
    var pair: (Int16, Bool)? = (3, true)

    static func == (a: Inner, b: Inner) -> Bool {
      a.numbers.map(\.bitPattern) == b.numbers.map(\.bitPattern) && a.name == b.name && a.small == b.small
        && a.pair?.0 == b.pair?.0 && a.pair?.1 == b.pair?.1
    }
  }
  private struct Outer: Equatable {
    var first = Inner()
    var list: [Inner] = [Inner(), Inner(numbers: [], name: "", small: 0, pair: nil)]
    var maybe: Inner?
    var deep: [[Inner?]] = [[nil, Inner()], []]
    var fixed: InlineArray<3, Double> = [1, 2, 3]
    var flag = true

    static func == (a: Outer, b: Outer) -> Bool {
      a.first == b.first && a.list == b.list && a.maybe == b.maybe && a.deep == b.deep && a.flag == b.flag
        && a.fixed.indices.allSatisfy { a.fixed[$0] == b.fixed[$0] }
    }
  }

  @Test func valuesComeBack() throws {
    for maybe in [nil, Inner(numbers: [5], name: "a long name that does not fit into sixteen bytes")] {
      let value = Outer(maybe: maybe)
      let image = try #require(ValueImage.encode(value))
      #expect(ValueImage.decode(image, as: Outer.self) == value)
    }
  }

  @Test func anImageThatIsCutIsRefused() throws {
    let image = try #require(ValueImage.encode(Outer(maybe: Inner())))
    for count in 0..<image.bytes.count {
      let cut = EngineImage(fingerprint: image.fingerprint, bytes: Array(image.bytes[..<count]))
      #expect(ValueImage.decode(cut, as: Outer.self) == nil, "\(count) bytes")
    }
    let long = EngineImage(fingerprint: image.fingerprint, bytes: image.bytes + [0])
    #expect(ValueImage.decode(long, as: Outer.self) == nil)
  }

  private final class Thing {}
  private enum Choice { case a([Int]), b }

  @Test func whatCannotBeKeptHasNoImage() {
    #expect(ValueImage.encode([Thing()]) == nil)
    #expect(ValueImage.encode([Set([1])]) == nil)
    #expect(ValueImage.encode([Choice.a([1]), .b]) == nil)
    let closure: () -> Void = {}
    #expect(ValueImage.encode((closure, 1)) == nil)
  }

  @Test func anotherTypeIsAnotherFingerprint() throws {
    let one = try #require(ValueImage.fingerprint(of: Outer.self))
    #expect(one == ValueImage.fingerprint(of: Outer.self))
    #expect(one != ValueImage.fingerprint(of: Inner.self))
  }
}
