import Fusion
import Live
import Recording
import SensorEvents

/// How a live loop is recorded, so that it can be replayed to the same bits.
public enum LiveRecording {
  /// What of a configuration the engine depends on, and the names of the sources, as text for the head
  /// of each segment: a line a source, its number, role and name, and one for the `program` that
  /// records, where it is named.
  public static func text(_ configuration: LiveConfiguration, program: String? = nil) -> String {
    let lines = configuration.sources.map { source in
      "source \(source.id.rawValue) \(source.role.name) \(source.name.split(separator: "\n").joined(separator: " "))"
    }
    let programs = program.map { ["program \($0.split(separator: "\n").joined(separator: " "))"] } ?? []
    return (["reckon live 1"] + programs + lines).joined(separator: "\n")
  }

  /// The program that a text names; nil where it names none.
  public static func program(_ text: String) -> String? {
    let lines = text.split(separator: "\n")
    guard lines.first == "reckon live 1" else { return nil }
    return lines.first { $0.hasPrefix("program ") }.map { String($0.dropFirst("program ".count)) }
  }

  /// The configuration that a text tells of; nil for the text of another version.
  public static func configuration(_ text: String) -> LiveConfiguration? {
    let lines = text.split(separator: "\n")
    guard lines.first == "reckon live 1" else { return nil }
    let sources = lines.dropFirst().compactMap { line -> SourceDescription? in
      let words = line.split(separator: " ", maxSplits: 3)
      guard words.count == 4, words[0] == "source", let id = UInt8(words[1]),
        let role = SourceRole.allCases.first(where: { $0.name == words[2] })
      else { return nil }
      return SourceDescription(id: SourceID(id), name: String(words[3]), role: role)
    }
    return LiveConfiguration(sources: sources)
  }

  /// A loop whose events and outputs `writer` records, in the order in which the engine saw them.
  public static func loop(
    engine: LiveEngine, writer: RecordingWriter, configuration: LoopConfiguration = LoopConfiguration(),
    clock: LoopClock = .system
  ) -> FusionThread {
    // Found out now: it reads the program's file.
    _ = ValueImage.fingerprint(of: LiveEngine.self)
    // An engine that starts from what an earlier one knew cannot be made again without it.
    if engine.fusion.warmStart != nil, let image = ValueImage.encode(engine) {
      writer.record(.snapshot(image))
    }
    let loop = FusionThread(engine: engine, loop: configuration, clock: clock) { batch, engine in
      for event in batch { writer.record(.event(event)) }
      if writer.takeSnapshotRequest(), let image = ValueImage.encode(engine) {
        writer.record(.snapshot(image))
      }
    }
    // Both are called on the fusion thread, so ticks stand among the events where they were.
    _ = loop.subscribe { output in writer.record(.tick(output.time)) }
    return loop
  }
}

extension SourceRole {
  fileprivate var name: String {
    switch self {
    case .inertial: "inertial"
    case .fix: "fix"
    case .wheel: "wheel"
    case .pressure: "pressure"
    }
  }
}
