/// How a launch stands that a person has to agree to (protocol 5.4).
package enum LaunchStatus: WireWord {
  /// The person is being asked.
  case userPendingAuthorization
  /// The person agreed; a status follows.
  case userAllowed
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("USER_PENDING_AUTHORIZATION", .userPendingAuthorization), ("USER_ALLOWED", .userAllowed),
  ]
}

/// Whether a device can start an application (protocol 5.3).
public enum ApplicationAvailability: WireWord {
  /// It can.
  case available
  /// It cannot: it does not know it, or not for this kind of device.
  case unavailable
  /// A value unknown to this version.
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [
    ("APP_AVAILABLE", .available), ("APP_UNAVAILABLE", .unavailable),
  ]
}

/// Why an application was not started, as the receiver states it (protocol 5.5).
package struct LaunchFailure: Sendable, Hashable {
  /// Such as `NOT_FOUND`; nil when not reported.
  package var reason: String?
  /// Such as `USER_NOT_ALLOWED`.
  package var extendedError: String?
  /// A sentence.
  package var message: String?

  package init(reason: String?, extendedError: String? = nil, message: String? = nil) {
    self.reason = reason
    self.extendedError = extendedError
    self.message = message
  }
}

/// What the platform of a device says (protocol 5).
package struct ReceiverReply: Sendable, Hashable {
  package enum Content: Sendable, Hashable {
    /// Always a full picture, also when there was no request (protocol 5.8).
    case status(ReceiverStatus)
    /// Not the end of the launch yet.
    case launchStatus(LaunchStatus)
    case launchError(LaunchFailure)
    /// The reason as the receiver states it; nil when not reported.
    case invalidRequest(reason: String?)
    /// By application id; ids that are not listed are unknown.
    case appAvailability([String: ApplicationAvailability])
    /// A type this version does not know, or a known one without what makes it one. The type is empty when there is none.
    case unknown(type: String, JSONValue)
  }

  /// What it answers; nil for a broadcast.
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
      // Without the member this is no picture of a device where nothing runs.
      if let status = json["status"], status.object != nil { content = .status(ReceiverStatus(json: status)) }
    case "LAUNCH_STATUS":
      // The launch goes by a name of its own here (protocol 5.4).
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
