import SensorEvents

/// Where a source posts what it has to say, from its reader thread. It must not wait.
public typealias EventSink = @Sendable (SensorEvent) -> Void
