import JSON
import Location
import Navigation

/// One connection of a client of VISS version 2: what is answered, and what its subscriptions are told. It
/// does no input or output.
package struct VISSSession: Sendable {
  /// What there is to tell.
  package struct View: Sendable {
    /// The newest place; nil where none is known.
    package var location: Location?
    /// Whether anything may be told.
    package var isAllowed: Bool
    /// Now in UTC, by the computer's clock.
    package var utc: Timestamp

    /// At a moment.
    package init(location: Location?, isAllowed: Bool, utc: Timestamp) {
      (self.location, self.isAllowed, self.utc) = (location, isAllowed, utc)
    }
  }

  private struct Subscription {
    let id: String
    let paths: VISSPaths
    let trigger: VISSTrigger
    /// When it is due next, by a trigger of time.
    var due: Timestamp
    /// The place, and by a trigger of change the number, that was told last.
    var told: Timestamp?
    var reference: Double?
    var isUnavailable = false
  }

  /// Subscriptions at once.
  package static let mostSubscriptions = 16

  private var subscriptions: [Subscription] = []
  private var nextID = 1

  /// Nothing asked yet.
  package init() {}

  // MARK: Answers

  /// The answer to a message.
  package mutating func answer(_ bytes: ArraySlice<UInt8>, _ view: View, at now: Timestamp) -> String {
    let request = VISSRequest(bytes)
    var members: [JSON.Member] = []
    if let action = request.action { members.append(.init(key: "action", value: .string(action))) }
    if let id = request.requestID { members.append(.init(key: "requestId", value: .string(id))) }
    do throws(VISSError) {
      members += try fulfil(try request.body.get(), view, at: now)
    } catch { members.append(.init(key: "error", value: error.json)) }
    return Self.text(members, view)
  }

  /// The answer to a message that is one too many.
  package static func refusal(_ view: View) -> String {
    text([.init(key: "error", value: VISSError.tooManyRequests.json)], view)
  }

  private mutating func fulfil(
    _ body: VISSRequest.Body, _ view: View, at now: Timestamp
  ) throws(VISSError) -> [JSON.Member] {
    if case .unsubscribe(let id) = body {
      guard let index = subscriptions.firstIndex(where: { $0.id == id }) else { throw .invalidSubscription }
      subscriptions.remove(at: index)
      return [.init(key: "subscriptionId", value: .string(id))]
    }
    guard view.isAllowed else { throw .userForbidden }
    switch body {
    case .get(let paths):
      guard let data = Self.data(paths, view) else { throw .unavailableData }
      return [.init(key: "data", value: data)]
    case .subscribe(let paths, let trigger):
      guard subscriptions.count < Self.mostSubscriptions else { throw .tooManyRequests }
      let id = "\(nextID)"
      nextID += 1
      subscriptions.append(Subscription(id: id, paths: paths, trigger: trigger, due: now))
      return [.init(key: "subscriptionId", value: .string(id))]
    case .unsubscribe: throw .invalidSubscription
    }
  }

  // MARK: Events

  /// What the subscriptions are told now; to be called ten times a second. What may not be
  /// told any more ends them.
  package mutating func events(_ view: View, at now: Timestamp) -> [String] {
    guard view.isAllowed else {
      defer { subscriptions = [] }
      return subscriptions.map { Self.event($0, "error", VISSError.userForbidden.json, view) }
    }
    return subscriptions.indices.compactMap { event(of: &subscriptions[$0], view, at: now) }
  }

  private func event(of subscription: inout Subscription, _ view: View, at now: Timestamp) -> String? {
    guard now >= subscription.due else { return nil }
    guard let location = view.location, let data = Self.data(subscription.paths, view) else {
      // Said once, until there is something again.
      defer { subscription.isUnavailable = true }
      return subscription.isUnavailable
        ? nil : Self.event(subscription, "error", VISSError.unavailableData.json, view)
    }
    switch subscription.trigger {
    case .update: guard location.timestamp != subscription.told else { return nil }
    case .period(let seconds):
      let next = subscription.due.advanced(bySeconds: seconds)
      subscription.due = next < now ? now.advanced(bySeconds: seconds) : next
    case .change(let comparison, let difference):
      guard let text = subscription.paths.signals[0].value(of: location), let value = Double(text) else {
        return nil
      }
      if let reference = subscription.reference, !comparison.holds(value - reference, difference) {
        return nil
      }
      guard location.timestamp != subscription.told else { return nil }
      subscription.reference = value
    }
    (subscription.told, subscription.isUnavailable) = (location.timestamp, false)
    return Self.event(subscription, "data", data, view)
  }

  private static func event(
    _ subscription: Subscription, _ key: String, _ value: JSON, _ view: View
  ) -> String {
    text(
      [
        .init(key: "action", value: .string("subscription")),
        .init(key: "subscriptionId", value: .string(subscription.id)), .init(key: key, value: value),
      ], view)
  }

  // MARK: Texts

  /// A message, with the time at which it is said.
  private static func text(_ members: [JSON.Member], _ view: View) -> String {
    JSON.object(members + [.init(key: "ts", value: .string(view.utc.toMilliseconds.utcText))]).text
  }

  /// What is known of `paths`; nil where nothing is.
  private static func data(_ paths: VISSPaths, _ view: View) -> JSON? {
    guard let location = view.location else { return nil }
    let known: [JSON] = paths.signals.compactMap { signal in
      signal.dataPoint(of: location, computer: view.utc).map {
        .members(["path": .string(signal.rawValue), "dp": $0])
      }
    }
    guard let first = known.first else { return nil }
    return paths.isSeveral ? .array(known) : first
  }
}
