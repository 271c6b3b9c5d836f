/// How a source is doing.
public struct SourceStatus: Sendable, Equatable {
  /// What state it is in.
  public var state: State
  /// Why, and what to do about it, for people; empty where there is nothing to say.
  public var message: String

  /// The states of a source.
  public enum State: UInt8, Sendable {
    /// Being looked for or opened.
    case connecting
    /// Open, and nothing usable has come yet.
    case connected
    /// Samples come.
    case streaming
    /// Open, yet samples have stopped, or cannot be used: frozen, saturated, not a number.
    case faulty
    /// Gone; it is being tried again.
    case lost
    /// Cannot be used as it is configured; it is not tried again.
    case failed
    /// Not read, because nobody needs it.
    case off
  }

  /// A state, with the reason for people.
  public init(_ state: State, _ message: String = "") {
    self.state = state
    self.message = message
  }
}
