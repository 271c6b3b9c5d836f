import JSON

/// Why a line of a client is no message.
package struct MessageFault: Error, Equatable, CustomStringConvertible {
  /// What is missing, or what it takes.
  package let description: String
  init(_ description: String) { self.description = description }
}

/// The members of a client's message: those that it must have, and those that it may
/// leave out or set to null.
struct MessageMembers {
  let type: String
  private let json: JSON

  init(_ json: JSON) throws(MessageFault) {
    guard case .object = json else { throw MessageFault("a message is a JSON object") }
    guard let type = json["type"]?.string else { throw MessageFault("a message has a type, a string") }
    self.type = type
    self.json = json
  }

  func valueIfAny<Value>(
    _ key: String, _ kind: String, _ read: (JSON) -> Value?
  ) throws(MessageFault) -> Value? {
    guard let member = json[key], member != .null else { return nil }
    guard let value = read(member) else { throw MessageFault("\(type): \(key) takes \(kind)") }
    return value
  }

  func value<Value>(_ key: String, _ kind: String, _ read: (JSON) -> Value?) throws(MessageFault) -> Value {
    guard let value = try valueIfAny(key, kind, read) else {
      throw MessageFault("\(type) without \(key): it takes \(kind)")
    }
    return value
  }

  func text(_ key: String) throws(MessageFault) -> String { try value(key, "a string", \.string) }
  func textIfAny(_ key: String) throws(MessageFault) -> String? { try valueIfAny(key, "a string", \.string) }
  func integer(_ key: String) throws(MessageFault) -> Int64 { try value(key, "a whole number", \.integer) }
  func integerIfAny(_ key: String) throws(MessageFault) -> Int64? {
    try valueIfAny(key, "a whole number", \.integer)
  }
  func number(_ key: String) throws(MessageFault) -> Double { try value(key, "a number", \.double) }
  func numberIfAny(_ key: String) throws(MessageFault) -> Double? {
    try valueIfAny(key, "a number", \.double)
  }
}
