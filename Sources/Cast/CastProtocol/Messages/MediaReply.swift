/// The failure of a request or an item, as the receiver states it (protocol 6.6).
package struct MediaFailure: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A load or an item of the queue failed.
    case loadFailed = "LOAD_FAILED"
    /// Another load or a stop replaced it.
    case loadCancelled = "LOAD_CANCELLED"
    /// Not possible in the current player state.
    case invalidPlayerState = "INVALID_PLAYER_STATE"
    /// Malformed, not supported, or for a media session that has ended.
    case invalidRequest = "INVALID_REQUEST"
    /// Any other failure; without a request it reports a skipped item (protocol 21.6).
    case error = "ERROR"
  }

  package var kind: Kind
  /// Such as `INVALID_MEDIA_SESSION_ID`; nil when not reported.
  package var reason: String?
  /// A number of the table in protocol 6.6; nil when not reported.
  package var detailedErrorCode: Int?
  /// The item that failed; nil if it is not in a queue.
  package var itemID: MediaQueueItemID?
  /// Data of the receiver application.
  package var customData: JSONValue?

  package init(
    kind: Kind, reason: String? = nil, detailedErrorCode: Int? = nil, itemID: MediaQueueItemID? = nil,
    customData: JSONValue? = nil
  ) {
    self.kind = kind
    self.reason = reason
    self.detailedErrorCode = detailedErrorCode
    self.itemID = itemID
    self.customData = customData
  }

  fileprivate init?(type: String, json: JSONValue) {
    guard let kind = Kind(rawValue: type) else { return nil }
    self.init(
      kind: kind, reason: json.words("reason"), detailedErrorCode: json["detailedErrorCode"]?.integer(.code),
      itemID: json.itemID("itemId"), customData: json["customData"])
  }
}

/// A message of a receiver application on the media namespace (protocol 6, 7.7).
package struct MediaReply: Sendable, Hashable {
  package enum Content: Sendable, Hashable {
    /// One entry per media session, as received; none when nothing is loaded (protocol 6.5).
    case status([MediaStatusUpdate])
    /// The ids of the whole queue in order; the number is nil when the receiver does not count changes.
    case queueItemIDs([MediaQueueItemID], sequenceNumber: Int?)
    /// Items that were requested.
    case queueItems([MediaQueueItem], sequenceNumber: Int?)
    case queueChange(MediaQueueChange)
    /// The argument of RESUME_SESSION, for another device.
    case sessionState(JSONValue)
    case refreshCredentials(CredentialsRefresh)
    case failure(MediaFailure)
    /// An unknown type, or a known one without its required members. The type is empty when it is absent.
    case unknown(type: String, JSONValue)
  }

  /// The number of the request; nil for a broadcast. Receivers broadcast some outcomes with the number of the requesting sender, so
  /// a number alone does not identify a reply (protocol 21.21).
  package var requestID: RequestID?
  package var content: Content

  package init(requestID: RequestID?, content: Content) {
    self.requestID = requestID
    self.content = content
  }

  package static func decode(_ json: JSONValue) -> MediaReply {
    let type = json.messageType ?? ""
    return MediaReply(
      requestID: json.requestID, content: content(type: type, json: json) ?? .unknown(type: type, json))
  }

  private static func content(type: String, json: JSONValue) -> Content? {
    let sequenceNumber = json["sequenceNumber"]?.integer(.index)
    switch type {
    case "MEDIA_STATUS": return statuses(json).map(Content.status)
    case "QUEUE_ITEM_IDS":
      return json["itemIds"].list(MediaQueueItemID.init(json:))
        .map { .queueItemIDs($0, sequenceNumber: sequenceNumber) }
    case "QUEUE_ITEMS":
      return json["items"].list(MediaQueueItem.init(json:))
        .map { .queueItems($0, sequenceNumber: sequenceNumber) }
    case "QUEUE_CHANGE": return MediaQueueChange(json: json).map(Content.queueChange)
    case "REFRESH_CREDENTIALS":
      return .refreshCredentials(
        CredentialsRefresh(requestID: json.requestID?.rawValue, customData: json["customData"]))
    case "SESSION_STATE": return json["sessionState"].map(Content.sessionState)
    default: return MediaFailure(type: type, json: json).map(Content.failure)
    }
  }

  /// The entries of a status. Old receivers send one entry without the array, or its members next to the type (protocol 6.5). Nil
  /// when there is no entry to read, which differs from an empty list.
  private static func statuses(_ json: JSONValue) -> [MediaStatusUpdate]? {
    switch json["status"] {
    case .array(let entries): return entries.compactMap(MediaStatusUpdate.init(json:))
    case .some(let entry) where entry.object != nil: return MediaStatusUpdate(json: entry).map { [$0] } ?? []
    default:
      guard json["mediaSessionId"] != nil, var members = json.object else { return nil }
      for key in ["type", "responseType", "requestId", "status"] { members[key] = nil }
      return MediaStatusUpdate(json: .object(members)).map { [$0] } ?? []
    }
  }
}
