import Drives
import TestParts
import Testing

@Suite struct DecimalTests {
  /// The number in `text` as a cell of a row, by the fast path where it applies.
  private func parsed(_ text: String) -> Double? {
    var row = Array(text.utf8)
    row.append(UInt8(ascii: ","))
    return row.withUnsafeBufferPointer { bytes in
      guard var cursor = bytes.baseAddress else { return nil }
      let end = cursor + bytes.count
      if let value = Decimal.plain(&cursor, end: end) { return value }
      return Decimal.cell(UnsafeBufferPointer(rebasing: bytes.dropLast()))
    }
  }

  @Test func numbersAreRoundedCorrectly() {
    var dice = Dice(seed: 1)
    for _ in 0..<100_000 {
      let whole = String(dice.below(1_000_000))
      let digits = (0..<dice.below(19)).map { _ in String(dice.below(10)) }.joined()
      let text = (dice.below(2) == 0 ? "-" : "") + whole + (digits.isEmpty ? "" : "." + digits)
      #expect(parsed(text)?.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }

  @Test func unusualNumbersAreRead() {
    let cases: [(String, Double)] = [
      ("9007199254740993", 9_007_199_254_740_992), ("0.1", 0.1), (".5", 0.5), ("5.", 5), ("+2", 2),
      ("1e3", 1000), ("-1.5E-3", -0.0015), ("  7\t", 7), ("179.99999999999997", 179.99999999999997),
      ("1e-400", 0), ("123456789012345678901234567890", 1.2345678901234568e29),
      ("0.00000000000000000000000000012", 1.2e-28),
    ]
    for (text, value) in cases { #expect(parsed(text) == value, "\(text)") }
  }

  @Test func writtenDecimalsAreThoseOfTheNumber() throws {
    let cases: [(Double, Int, String)] = [
      (0, 0, "0"), (0, 3, "0.000"), (-0.0004, 3, "0.000"), (1.5, 3, "1.500"), (-12.3456, 2, "-12.35"),
      (180, 10, "180.0000000000"), (0.05, 1, "0.1"), (-0.001, 3, "-0.001"), (1e300, 4, "1e+300"),
    ]
    for (value, decimals, text) in cases {
      let scratch = ScratchFolder()
      var writer = try ByteWriter(path: scratch("number"))
      writer.append(value, decimals: decimals)
      try writer.finish()
      #expect(String(decoding: try scratch.bytes("number"), as: UTF8.self) == text)
    }
  }
}
