import Drives

/// The figures of one drive, with what the drive says of itself.
public struct DriveEvaluation: Sendable {
  /// What drive.json says.
  public let description: DriveDescription
  /// What the pass over the drive gave.
  public let figures: EvaluationFigures
  /// Rows of each file that could not be used, with remarks.
  public let rejections: [RowRejections]
  /// What the figures were made by and from; nil where whoever evaluated did not say.
  public var provenance: Provenance?

  /// Figures of a drive.
  public init(description: DriveDescription, figures: EvaluationFigures, rejections: [RowRejections]) {
    self.description = description
    self.figures = figures
    self.rejections = rejections
  }
}
