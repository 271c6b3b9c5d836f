extension HostStatistics {
  /// In Prometheus's text format.
  public var prometheus: String {
    let figures: [(String, String, String, Double)] = [
      ("connections", "gauge", "connections now", Double(connections)),
      ("accepted_total", "counter", "connections taken", Double(accepted)),
      ("refused_total", "counter", "connections refused because there were too many", Double(refused)),
      (
        "denied_dropped_total", "counter", "connections that nobody let, ended after a while", Double(dropped)
      ),
      ("violations_total", "counter", "connections ended for what the client did", Double(violations)),
      ("messages_received_total", "counter", "messages taken", Double(received)),
      ("messages_sent_total", "counter", "messages sent", Double(sent)),
      ("solutions_total", "counter", "solutions taken from the engine", Double(solutions)),
      ("lost_locations", "gauge", "locations lost by the slow clients there are", Double(lostLocations)),
      ("store_failures_total", "counter", "writes that failed", Double(storeFailures)),
      (
        "worst_delivery_seconds", "gauge", "longest way from solution to sockets since the last reading",
        worstDelivery
      ),
    ]
    var text = PrometheusText()
    for (name, kind, help, value) in figures { text.add(name, kind, help, value) }
    mqtt?.add(to: &text)
    if let vissClients { text.add("viss_clients", "gauge", "clients of VISS now", Double(vissClients)) }
    return text.text
  }

  /// One line for the log.
  public var health: String {
    let worst = (worstDelivery * 1e4).rounded() / 10
    return
      "health: \(connections) clients, \(solutions) solutions, \(sent) messages sent, worst delivery \(worst) ms, \(refused) refused, \(violations) violations, \(storeFailures) failed writes"
  }
}

extension MQTTStatistics {
  fileprivate func add(to text: inout PrometheusText) {
    text.add("mqtt_connected", "gauge", "whether the broker takes positions now", isConnected ? 1 : 0)
    text.add("mqtt_connections_total", "counter", "how often the broker took reckond", Double(connections))
    text.add("mqtt_positions_published_total", "counter", "positions that the broker has", Double(published))
    text.add(
      "mqtt_positions_dropped_total", "counter", "positions given up because the broker took too long",
      Double(dropped))
  }
}
