/// Proof of life; either end may ask, the other must answer (protocol 4).
package enum HeartbeatMessage: String, Sendable, Hashable, CaseIterable {
  case ping = "PING"
  case pong = "PONG"

  package var json: JSONValue { ["type": .string(rawValue)] }

  /// Nil for anything else under this namespace, which may be ignored.
  package static func decode(_ json: JSONValue) -> HeartbeatMessage? {
    json.messageType.flatMap(HeartbeatMessage.init(rawValue:))
  }
}
