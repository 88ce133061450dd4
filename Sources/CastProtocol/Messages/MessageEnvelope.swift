/// What every JSON message of the channel has in common: a type and, for requests and replies, a number.
extension JSONValue {
  /// The type of a message; nil when this is none. Some old firmware calls it `responseType` in replies, and one reply is
  /// documented to (protocol 1.5, 5.3).
  package var messageType: String? { self["type"]?.string ?? self["responseType"]?.string }

  /// The number of the request a message is or answers; nil for what there was no request for, which is 0 or absent on the wire
  /// (protocol 1.5).
  package var requestID: RequestID? { requestID("requestId") }

  func requestID(_ key: String) -> RequestID? {
    self[key]?.integer(.identifier).map { RequestID($0) }
  }

  /// An item id under a key; nil when there is none: receivers count from 1.
  func itemID(_ key: String) -> MediaQueueItemID? { self[key].flatMap(MediaQueueItemID.init(json:)) }

  /// A text under a key. What is not a string is kept as JSON text, so that the receiver's words are never lost.
  func words(_ key: String) -> String? { self[key].map { $0.string ?? $0.text } }

  /// A request of this type: its number, its own members, and what the application adds.
  static func request(
    _ type: String, _ requestID: RequestID, _ members: KeyValuePairs<String, JSONValue?> = [:]
  ) -> JSONValue {
    JSONValue.members(["type": .string(type), "requestId": .integer(Int64(requestID.rawValue))])
      .keeping(JSONValue.members(members).object ?? [:])
  }
}

extension MediaQueueItemID {
  init?(json: JSONValue) {
    guard let number = json.integer(.identifier) else { return nil }
    self.init(number)
  }

  var json: JSONValue { .integer(Int64(rawValue)) }
}
