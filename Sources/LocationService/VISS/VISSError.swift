import JSON

/// What a request can fail with: numbers, reasons and messages are those of the specification (COVESA VISS
/// version 2, Transport, "Status Codes").
package enum VISSError: String, Error, Sendable {
  case badRequest = "bad_request"
  case filterInvalid = "filter_invalid"
  case invalidDuration = "invalid_duration"
  case readOnly = "read_only"
  case userForbidden = "user_forbidden"
  case invalidPath = "invalid_path"
  case unavailableData = "unavailable_data"
  case invalidSubscription = "invalid_subscriptionId"
  case tooManyRequests = "too_many_requests"

  /// As HTTP has them.
  var number: Int64 {
    switch self {
    case .badRequest, .filterInvalid, .invalidDuration: 400
    case .readOnly: 401
    case .userForbidden: 403
    case .invalidPath, .unavailableData, .invalidSubscription: 404
    case .tooManyRequests: 429
    }
  }

  var message: String {
    switch self {
    case .badRequest: "The server is unable to fulfil the client request because the request is malformed."
    case .filterInvalid: "Filter requested on non-primitive type."
    case .invalidDuration: "Time duration is invalid."
    case .readOnly: "The desired signal cannot be set since it is a read only signal."
    case .userForbidden:
      "The user is not permitted to access the requested resource. Retrying does not help."
    case .invalidPath: "The specified data path does not exist."
    case .unavailableData: "The requested data was not found."
    case .invalidSubscription: "The specified subscription was not found."
    case .tooManyRequests: "The client has sent the server too many requests in a given amount of time."
    }
  }

  var json: JSON {
    .members([
      "number": .integer(number), "reason": .string(rawValue), "message": .string(message),
    ])
  }
}
