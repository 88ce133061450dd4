/// The type of a virtual connection, as seen by the application (protocol 3.1).
package enum ConnectionType: Int, Sendable, Hashable, CaseIterable {
  /// The application keeps running while one is open.
  case strong = 0
  /// The application may stop when only weak ones remain.
  case weak = 1
  /// The sender is invisible to the application; media messages are delivered nevertheless.
  case invisible = 2
}

/// The sender's identity in CONNECT (protocol 3.1).
package struct SenderIdentity: Sendable, Hashable {
  /// Free text, such as `castq/1.0`.
  package var userAgent: String
  /// Version of the sender, such as `1.0.0`.
  package var version: String

  package init(userAgent: String, version: String) {
    self.userAgent = userAgent
    self.version = version
  }

  fileprivate var json: JSONValue {
    // 2 is the type of sender whose behaviour this one follows; 6 is Linux; 1 is a local connection.
    [
      "sdkType": 2, "version": .string(version), "browserVersion": .string(version), "platform": 6,
      "connectionType": 1,
    ]
  }
}

/// A message about the virtual connection between its source and its destination (protocol 3).
package enum ConnectionMessage: Sendable, Hashable {
  /// Opens the connection; there is no reply. The identity is nil if the sender includes none.
  case connect(ConnectionType, SenderIdentity?)
  /// Closes it. The code is informative only, because implementations disagree about it; nil when absent.
  case close(reasonCode: Int?)
  /// Any other message, such as CONNECTED, which may be ignored.
  case unknown(type: String, JSONValue)

  /// The code for "closed by this end" (protocol 3.2).
  package static let closedBySelf = 5

  package var json: JSONValue {
    switch self {
    case .connect(let type, let identity):
      .members([
        "type": "CONNECT", "connType": .integer(Int64(type.rawValue)), "origin": [:],
        "userAgent": JSONValue(identity?.userAgent), "senderInfo": identity?.json,
      ])
    case .close(let code): .members(["type": "CLOSE", "reasonCode": JSONValue(code)])
    case .unknown(_, let json): json
    }
  }

  package static func decode(_ json: JSONValue) -> ConnectionMessage {
    switch json.messageType {
    case "CONNECT":
      guard let type = ConnectionType(rawValue: json["connType"]?.integer(.code) ?? 0) else { break }
      let identity = json["userAgent"]?.string.map {
        SenderIdentity(userAgent: $0, version: json["senderInfo"]?["version"]?.string ?? "")
      }
      return .connect(type, identity)
    case "CLOSE": return .close(reasonCode: json["reasonCode"]?.integer(.code))
    default: break
    }
    return .unknown(type: json.messageType ?? "", json)
  }
}
