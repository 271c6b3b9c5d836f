import JSON

/// The figures of one drive as they stand in the JSON, made just now or kept from before.
public struct EvaluationFigureText: Sendable {
  let value: JSON

  /// The figures of an evaluation.
  public init(_ evaluation: DriveEvaluation) { value = EvaluationJSON.value(evaluation) }

  /// Figures that were kept.
  init(value: JSON) { self.value = value }

  /// The text of a file of several.
  public static func text(_ figures: [EvaluationFigureText]) -> String {
    JSON.array(figures.map(\.value)).indentedText
  }
}
