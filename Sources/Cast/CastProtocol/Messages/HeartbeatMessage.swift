/// A heartbeat; either end may send PING, and the other must reply (protocol 4).
package enum HeartbeatMessage: String, Sendable, Hashable, CaseIterable {
  case ping = "PING"
  case pong = "PONG"

  package var json: JSONValue { ["type": .string(rawValue)] }

  /// Nil for any other message of this namespace, which may be ignored.
  package static func decode(_ json: JSONValue) -> HeartbeatMessage? {
    json.messageType.flatMap(HeartbeatMessage.init(rawValue:))
  }
}
