/// The common members of every JSON message: a type and, for requests and replies, a number.
extension JSONValue {
  /// The type of a message; nil when it has none. Some old firmware calls it `responseType` in replies, and one reply is documented
  /// to (protocol 1.5, 5.3).
  package var messageType: String? { self["type"]?.string ?? self["responseType"]?.string }

  /// The number of a request or reply; nil for other messages, where it is 0 or absent on the wire (protocol 1.5).
  package var requestID: RequestID? { requestID("requestId") }

  func requestID(_ key: String) -> RequestID? {
    self[key]?.integer(.identifier).map { RequestID($0) }
  }

  /// An item id under a key; nil when there is none: ids start at 1.
  func itemID(_ key: String) -> MediaQueueItemID? { self[key].flatMap(MediaQueueItemID.init(json:)) }

  /// A text under a key. Any other value is kept as JSON text, so that no information is lost.
  func words(_ key: String) -> String? { self[key].map { ($0.string ?? $0.text).shortened } }

  /// A request with a type, a number, its own members, and the application's data.
  static func request(
    _ type: String, _ requestID: RequestID, _ members: KeyValuePairs<String, JSONValue?> = [:]
  ) -> JSONValue {
    JSONValue.members(["type": .string(type), "requestId": .integer(Int64(requestID.rawValue))])
      .keeping(JSONValue.members(members).object ?? [:])
  }
}

extension String {
  /// A receiver's words in the length of a sentence: they go into errors, logs and history.
  var shortened: String { utf8.count <= 500 ? self : prefix(500) + "…" }
}

extension MediaQueueItemID {
  init?(json: JSONValue) {
    guard let number = json.integer(.identifier) else { return nil }
    self.init(number)
  }

  var json: JSONValue { .integer(Int64(rawValue)) }
}
