/// How many times closer to the truth one error is than another.
struct ReportGain {
  private let ratio: Double?

  /// The gain from an error of `before` metres to one of `after` metres.
  init(from before: Double?, to after: Double?) {
    guard let before, let after, before.isFinite, after.isFinite, before > 0, after > 0 else {
      ratio = nil
      return
    }
    ratio = before / after
  }

  /// The gain in words, as `2.4× closer`; nil where there is nothing to compare.
  var words: String? {
    guard let ratio else { return nil }
    if ratio >= 1.05 { return "\(Self.times(ratio)) closer" }
    if ratio <= 1 / 1.05 { return "\(Self.times(1 / ratio)) further off" }
    return "as close"
  }

  /// The words as a badge, coloured by whether they are good news.
  var badge: String? {
    guard let words, let ratio else { return nil }
    let kind = ratio >= 1.05 ? "better" : ratio <= 1 / 1.05 ? "worse" : "same"
    return "<span class=\"badge \(kind)\">\(words)</span>"
  }

  private static func times(_ ratio: Double) -> String {
    ReportText.fixed(ratio, digits: ratio < 9.95 ? (ratio < 1.095 ? 2 : 1) : 0) + "×"
  }
}
