import Evaluation
import Foundation
import Testing

@Suite struct PairedComparisonTests {
  private func records(_ errors: [Double], coverage: Double = 0.95) throws -> [EvaluationRecord] {
    let drives = errors.enumerated().map { i, error in
      """
      {"drive": "d\(i)", "estimators": {"causal": {"horizontal_error_m": {"p95": \(error)}, "coverage_95": \(coverage)}}}
      """
    }
    let made = TrackMade()
    return try EvaluationRecord.read(try made.put("a.json", "[" + drives.joined(separator: ",") + "]"))
  }

  /// W. S. Gosset's sleep data, "The probable error of a mean", Biometrika 1908: t = 4.0621 with 9 degrees of
  /// freedom, p = 0.002833, the interval 0.7001 to 2.4599.
  @Test func sleepOfStudentHasItsInterval() throws {
    let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    let comparison = PairedComparison(try records(first), try records(second))
    let row = try #require(comparison.rows.first { $0.metric == "causal horizontal_error_m p95" })
    #expect(row.count == 10 && abs(row.difference - 1.58) < 1e-12)
    #expect(abs(try #require(row.low) - 0.700114) < 1e-6)
    #expect(abs(try #require(row.high) - 2.459886) < 1e-6)
    #expect(abs(try #require(row.p) - 0.002833) < 5e-7)
    // Two figures were compared.
    #expect(abs(try #require(row.adjusted) - 2 * 0.002833) < 1e-6 && row.isBetter == false)
    #expect(PairedComparison(try records(second), try records(first)).rows[0].isBetter == true)
    #expect(comparison.text.contains("worse"))
  }

  @Test func sameRunIsNoDifference() throws {
    let rows = PairedComparison(try records([1, 2, 3]), try records([1, 2, 3])).rows
    #expect(rows.allSatisfy { $0.difference == 0 && $0.p == 1 && $0.isBetter == nil })
  }

  @Test func coverageIsComparedByItsDistance() throws {
    let rows = PairedComparison(try records([1, 2], coverage: 0.90), try records([1, 2], coverage: 0.97)).rows
    let row = try #require(rows.first { $0.metric == "causal coverage_95" })
    #expect(abs(row.difference + 0.03) < 1e-12)
  }

  @Test func singleDriveHasNoInterval() throws {
    let row = try #require(PairedComparison(try records([1]), try records([2])).rows.first)
    #expect(row.difference == 1 && row.low == nil && row.p == nil && row.isBetter == nil)
    #expect(PairedComparison(try records([1, 2]), try records([1])).unpaired == ["d1"])
  }

  /// Tables of Student's t: Abramowitz and Stegun, table 26.10.
  @Test(arguments: [(1.0, 12.706), (2, 4.303), (9, 2.262), (30, 2.042), (1e6, 1.960)])
  func quantilesAreThoseOfTheTables(degrees: Double, expected: Double) {
    #expect(abs(StudentT.quantile(twoSided: 0.05, degrees: degrees) - expected) < 5.1e-4)
    #expect(
      abs(StudentT.twoSided(StudentT.quantile(twoSided: 0.3, degrees: degrees), degrees: degrees) - 0.3)
        < 1e-9)
  }
}
