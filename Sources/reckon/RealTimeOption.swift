import ArgumentParser
import Live

/// `--realtime`
struct RealTimeOption: ParsableArguments {
  @Flag(
    help: "Ask for real-time priority and locked memory; what the system refuses is said and done without.")
  var realtime = false

  /// How the loop runs then.
  var loop: LoopConfiguration { LoopConfiguration(realtime: realtime) }
}
