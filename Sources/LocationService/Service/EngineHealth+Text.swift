import Location
import Navigation

extension EngineHealth {
  /// In Prometheus's text format.
  var prometheus: String {
    var text = PrometheusText()
    text.add(
      "engine_running", "gauge", "whether an engine runs: none does while nobody needs one", isRunning ? 1 : 0
    )
    text.add(
      "mode", "gauge", "where the engine stands: 1 for that mode, 0 for the others",
      [NavigationMode.aligning, .aided, .deadReckoning, .stationary, .carried].map {
        ([("mode", $0.word)], $0 == mode ? 1 : 0)
      })
    if let horizontalAccuracy {
      text.add(
        "horizontal_accuracy_meters", "gauge", "radius that holds the place with 68 percent",
        horizontalAccuracy)
    }
    if let fixAge { text.add("fix_age_seconds", "gauge", "seconds since the newest fix came", fixAge) }
    text.add(
      "recoveries_total", "counter", "how often fixes contradicted the place until it was given up",
      Double(recoveries))
    if let allocations {
      text.add(
        "engine_allocations_total", "counter",
        "blocks of memory that the engine took from the heap while it took samples", Double(allocations))
    }
    addSources(to: &text)
    addMeasurements(to: &text)
    return text.text
  }

  private func addSources(to text: inout PrometheusText) {
    func each(_ value: (Source) -> Double?) -> [(PrometheusText.Labels, Double)] {
      sources.compactMap { source in value(source).map { (Self.labels(source), $0) } }
    }
    text.add("source_up", "gauge", "whether a sensor delivers", each { $0.isDelivering ? 1 : 0 })
    text.add("source_rate_hertz", "gauge", "samples a second", each(\.rate))
    text.add("source_samples_total", "counter", "samples that came", each { Double($0.received) })
    text.add("source_lost_total", "counter", "samples known to be lost", each { Double($0.lost) })
    text.add("source_gaps_total", "counter", "pauses of over three intervals", each { Double($0.gaps) })
    text.add("source_longest_gap_seconds", "gauge", "the longest pause", each(\.longestGap))
    text.add(
      "source_refused_total", "counter", "samples that were not used, by reason",
      sources.flatMap { source in
        source.refused.map { (Self.labels(source) + [("reason", $0.reason)], Double($0.count)) }
      })
  }

  private static func labels(_ source: Source) -> PrometheusText.Labels {
    [("source", source.name), ("role", source.role)]
  }

  private func addMeasurements(to text: inout PrometheusText) {
    text.add(
      "measurements_total", "counter", "measurements by what became of them: used, weighedDown, or why not",
      measurements.flatMap { kind in
        kind.outcomes.map { ([("kind", kind.kind), ("outcome", $0.outcome)], Double($0.count)) }
      })
    text.add(
      "innovations_squared_total", "counter", "sum of normalized innovations squared",
      measurements.map { ([("kind", $0.kind)], $0.innovations) })
    text.add(
      "innovation_dimensions_total", "counter",
      "sum of their dimensions: both grow alike where noise is as assumed",
      measurements.map { ([("kind", $0.kind)], Double($0.dimensions)) })
  }
}
