/// A request to a device on other namespaces than the receiver namespace, about its group and its properties (protocol 5.9, 5.10).
package enum PlatformRequest: Sendable, Hashable {
  /// The members of the group.
  case multizoneStatus
  /// The groups this device can play to; the format of the reply is not published.
  case castingGroups
  case deviceInformation
  /// In snake case, including its number.
  case setupInformation

  package var namespace: Namespace {
    switch self {
    case .multizoneStatus, .castingGroups: .multizone
    case .deviceInformation: .discovery
    case .setupInformation: .setup
    }
  }

  /// The type on the wire.
  package var type: String {
    switch self {
    case .multizoneStatus: "GET_STATUS"
    case .castingGroups: "GET_CASTING_GROUPS"
    case .deviceInformation: "GET_DEVICE_INFO"
    case .setupInformation: "eureka_info"
    }
  }

  package func json(requestID: RequestID) -> JSONValue {
    let key = self == .setupInformation ? "request_id" : "requestId"
    return .object(["type": .string(type), key: .integer(Int64(requestID.rawValue))])
  }
}

/// A message of a device on those namespaces.
package struct PlatformReply: Sendable, Hashable {
  package enum Content: Sendable, Hashable {
    case multizone(MultizoneEvent)
    case castingGroups(JSONValue)
    case deviceInformation(DeviceInformation)
    case setupInformation(SetupInformation)
    /// The reason as the receiver states it; nil when not reported.
    case invalidRequest(reason: String?)
    case unknown(type: String, JSONValue)
  }

  /// The number of the request; nil for a broadcast.
  package var requestID: RequestID?
  package var content: Content

  package static func decode(_ json: JSONValue) -> PlatformReply {
    let type = json.messageType ?? ""
    return PlatformReply(
      requestID: json.requestID ?? json.requestID("request_id"),
      content: content(type, json) ?? .unknown(type: type, json))
  }

  private static func content(_ type: String, _ json: JSONValue) -> Content? {
    switch type {
    case "MULTIZONE_STATUS": MultizoneStatus(json: json["status"]).map { .multizone(.status($0)) }
    case "DEVICE_ADDED": MultizoneDevice(json: json["device"]).map { .multizone(.deviceAdded($0)) }
    case "DEVICE_UPDATED": MultizoneDevice(json: json["device"]).map { .multizone(.deviceUpdated($0)) }
    case "DEVICE_REMOVED": json["deviceId"]?.string.map { .multizone(.deviceRemoved(deviceID: $0)) }
    case "PLAYBACK_SESSION_UPDATED": .multizone(.playbackSessionUpdated(json))
    case "CASTING_GROUPS": .castingGroups(json)
    case "GET_DEVICE_INFO": .deviceInformation(DeviceInformation(json: json))
    case "eureka_info": json["data"].map { .setupInformation(SetupInformation(data: $0)) }
    case "INVALID_REQUEST": .invalidRequest(reason: json.words("reason"))
    default: nil
    }
  }
}
