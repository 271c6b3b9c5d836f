import Fusion

/// Verdicts on measurements as comma separated text.
public enum VerdictCSV {
  /// The first line.
  public static let header = "time_s,kind,outcome,weight,late_s,nis,dimension\n"

  /// A line for one verdict. The weight is 1 for a measurement taken whole and 0 for one not used; what was
  /// not computed stays empty.
  public static func line(_ verdict: MeasurementVerdict) -> String {
    let (outcome, weight, late): (String, Double, Double?) =
      switch verdict.outcome {
      case .accepted: ("accepted", 1, nil)
      case .weighedDown(let weight): ("weighed_down", weight, nil)
      case .outlier: ("outlier", 0, nil)
      case .stale(let seconds): ("stale", 0, seconds)
      case .nonFinite: ("non_finite", 0, nil)
      case .repeated: ("repeated", 0, nil)
      case .extrapolated: ("extrapolated", 0, nil)
      case .carried(let reason): ("carried_\(reason.rawValue)", 0, nil)
      case .contradicted: ("contradicted", 0, nil)
      }
    let nis = verdict.normalizedInnovationSquared
    let cells = [
      "\(verdict.time.seconds)", verdict.kind.rawValue, outcome, "\(weight)", late.map { "\($0)" } ?? "",
      nis.isFinite ? "\(nis)" : "", "\(verdict.dimension)",
    ]
    return cells.joined(separator: ",") + "\n"
  }
}
