/// A figure beside what it should be.
struct Target: Encodable, Sendable {
  /// What was driven and studied.
  let study: String
  /// Which figure of it, with its unit.
  let figure: String
  /// What was measured; nil where it could not be had.
  let value: Double?
  /// The least and the largest that will do.
  let least: Double?
  let most: Double?

  /// A figure that should be at most `most`.
  init(_ study: String, _ figure: String, _ value: Double?, most: Double) {
    self.init(study, figure, value, least: nil, most: most)
  }

  /// A figure that should lie in a range, or at one side of a bound.
  init(_ study: String, _ figure: String, _ value: Double?, least: Double?, most: Double?) {
    self.study = study
    self.figure = figure
    self.value = value
    self.least = least
    self.most = most
  }

  /// Whether it is met; nil where nothing was measured.
  var isMet: Bool? {
    value.map { $0 >= least ?? -.infinity && $0 <= most ?? .infinity }
  }

  private enum CodingKeys: String, CodingKey { case study, figure, value, least, most, met }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(study, forKey: .study)
    try container.encode(figure, forKey: .figure)
    try container.encode(value, forKey: .value)
    try container.encode(least, forKey: .least)
    try container.encode(most, forKey: .most)
    try container.encode(isMet, forKey: .met)
  }
}
