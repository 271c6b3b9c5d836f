import Locks

extension LocationManager {
  /// Starts to tell where the car parks, as ``LocationEvent/visit(_:)``: once it has stood for
  /// ``VisitMonitor/dwell``, and when it has left; also what happened while the program was away. With
  /// reduced accuracy there are none: ``LocationEvent/refused(_:_:)`` says so.
  public func startMonitoringVisits() {
    begin(\.visits) { .startVisits(session: $0) }
  }

  /// Ends that, also for when the program is away.
  public func stopMonitoringVisits() {
    end(\.visits, .stopVisits, dropping: \.isVisit)
  }

  func take(_ visits: [Visit], ofSession session: Int64) {
    guard state.withLock({ $0.sessions.visits == session }) else { return }
    for visit in visits { emit(.visit(visit)) }
  }
}
