import JSON

/// The figures of one drive as they stand in the JSON, made just now or kept from before.
public struct EvaluationFigureText: Sendable {
  let value: JSONValue

  /// The figures of an evaluation.
  public init(_ evaluation: DriveEvaluation) { value = EvaluationJSON.value(evaluation) }

  /// Figures that were kept.
  init(kept json: JSON) { value = JSONValue(exactly: json) }

  /// The text of a file of several.
  public static func text(_ figures: [EvaluationFigureText]) -> String {
    JSONValue.array(figures.map(\.value)).text
  }
}
