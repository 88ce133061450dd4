/// The types of receiver application that a sender supports (protocol 5.4).
package enum ApplicationType: WireWord {
  /// A web application.
  case web
  /// A native application.
  case androidTV
  case unknown(String)

  package static let words: [(word: String, value: Self)] = [("WEB", .web), ("ANDROID_TV", .androidTV)]
}

/// The parameters of a launch, which joins an application that runs already (protocol 5.4).
package struct LaunchRequest: Sendable, Hashable {
  package var applicationID: String
  /// BCP-47 language of the sender; nil leaves it to the receiver.
  package var language: String?
  /// The supported types; empty omits the member, which means web only.
  package var supportedTypes: [ApplicationType]
  /// The viewer's credentials, in the application's own format; nil for none.
  package var credentials: String?
  /// The type of sender of the credentials; only sent with credentials.
  package var credentialsType: String?

  package init(
    applicationID: String, language: String? = nil, supportedTypes: [ApplicationType] = [.web],
    credentials: String? = nil, credentialsType: String? = nil
  ) {
    self.applicationID = applicationID
    self.language = language
    self.supportedTypes = supportedTypes
    self.credentials = credentials
    self.credentialsType = credentialsType
  }

  fileprivate var parameters: JSONValue? {
    credentials.map { credentials in
      let data = JSONValue.members([
        "credentials": .string(credentials), "credentialsType": JSONValue(credentialsType),
      ])
      return ["launchCheckerParams": ["credentialsData": data]]
    }
  }
}

/// A request to a device's platform (protocol 5).
package enum ReceiverRequest: Sendable, Hashable {
  /// Level and mute are sent separately: devices may refuse both in one message (protocol 5.7).
  package enum VolumeChange: Sendable, Hashable {
    /// 0 to 1; clamped. What is no finite number is not sent.
    case level(Double)
    case muted(Bool)
  }

  case getStatus
  case getAppAvailability([String])
  case launch(LaunchRequest)
  /// Stops an application; nil stops any that runs.
  case stop(ApplicationSessionID?)
  /// Volume of the device, not of a stream.
  case setVolume(VolumeChange)

  /// The type on the wire.
  package var type: String {
    switch self {
    case .getStatus: "GET_STATUS"
    case .getAppAvailability: "GET_APP_AVAILABILITY"
    case .launch: "LAUNCH"
    case .stop: "STOP"
    case .setVolume: "SET_VOLUME"
    }
  }

  /// Why it must not be sent; nil when it may.
  package var flaw: CastError? {
    guard case .setVolume(.level(let level)) = self, !level.isFinite else { return nil }
    return .notANumber(type, "volume")
  }

  package func json(requestID: RequestID) -> JSONValue {
    switch self {
    case .getStatus: .request(type, requestID)
    case .getAppAvailability(let ids):
      .request(type, requestID, ["appId": .array(ids.map { .string(ApplicationID.wireForm($0)) })])
    case .launch(let launch):
      .request(
        type, requestID,
        [
          "appId": .string(ApplicationID.wireForm(launch.applicationID)),
          "language": JSONValue(launch.language),
          "supportedAppTypes": launch.supportedTypes.isEmpty
            ? nil : .array(launch.supportedTypes.map(\.json)),
          "appParams": launch.parameters,
        ])
    case .stop(let session): .request(type, requestID, ["sessionId": JSONValue(session?.rawValue)])
    case .setVolume(.level(let level)):
      .request(type, requestID, ["volume": .members(["level": JSONValue(min(max(level, 0), 1))])])
    case .setVolume(.muted(let isMuted)):
      .request(type, requestID, ["volume": ["muted": .bool(isMuted)]])
    }
  }
}
