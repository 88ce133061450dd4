/// The state of a launch that requires consent (protocol 5.4).
package enum LaunchStatus: WireWord {
  /// Waiting for the person.
  case userPendingAuthorization
  /// The person consented; a status follows.
  case userAllowed
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("USER_PENDING_AUTHORIZATION", .userPendingAuthorization), ("USER_ALLOWED", .userAllowed),
  ]
}

/// Whether a device can run an application (protocol 5.3).
public enum ApplicationAvailability: WireWord {
  /// Available.
  case available
  /// Unavailable: unknown, or not for this type of device.
  case unavailable
  /// A value unknown to this version.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("APP_AVAILABLE", .available), ("APP_UNAVAILABLE", .unavailable),
  ]
}

/// Why a launch failed, as the receiver states it (protocol 5.5).
package struct LaunchFailure: Sendable, Hashable {
  /// Such as `NOT_FOUND`; nil when not reported.
  package var reason: String?
  /// Such as `USER_NOT_ALLOWED`.
  package var extendedError: String?
  /// A message.
  package var message: String?

  package init(reason: String?, extendedError: String? = nil, message: String? = nil) {
    self.reason = reason
    self.extendedError = extendedError
    self.message = message
  }
}

/// A message of a device's platform (protocol 5).
package struct ReceiverReply: Sendable, Hashable {
  package enum Content: Sendable, Hashable {
    /// Always a full status, also when it was not requested (protocol 5.8).
    case status(ReceiverStatus)
    /// The launch is still in progress.
    case launchStatus(LaunchStatus)
    case launchError(LaunchFailure)
    /// The reason as the receiver states it; nil when not reported.
    case invalidRequest(reason: String?)
    /// By application id; the availability of others is unknown.
    case appAvailability([String: ApplicationAvailability])
    /// An unknown type, or a known one without its required members. The type is empty when it is absent.
    case unknown(type: String, JSONValue)
  }

  /// The number of the request; nil for a broadcast.
  package var requestID: RequestID?
  package var content: Content

  package init(requestID: RequestID?, content: Content) {
    self.requestID = requestID
    self.content = content
  }

  package static func decode(_ json: JSONValue) -> ReceiverReply {
    let type = json.messageType ?? ""
    var requestID = json.requestID
    var content = Content.unknown(type: type, json)
    switch type {
    case "RECEIVER_STATUS":
      // Without the member it is not the status of an idle device.
      if let status = json["status"], status.object != nil { content = .status(ReceiverStatus(json: status)) }
    case "LAUNCH_STATUS":
      // The launch number has another key here (protocol 5.4).
      requestID = json.requestID("launchRequestId") ?? requestID
      if let status = LaunchStatus(json["status"]) { content = .launchStatus(status) }
    case "LAUNCH_ERROR":
      content = .launchError(
        LaunchFailure(
          reason: json.words("reason"), extendedError: json.words("extendedError"),
          message: json.words("error")))
    case "INVALID_REQUEST": content = .invalidRequest(reason: json.words("reason"))
    case "GET_APP_AVAILABILITY":
      if let answers = json["availability"]?.object {
        content = .appAvailability(answers.compactMapValues { ApplicationAvailability($0) })
      }
    default: break
    }
    return ReceiverReply(requestID: requestID, content: content)
  }
}
