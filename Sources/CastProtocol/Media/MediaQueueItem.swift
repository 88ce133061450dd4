/// One item of a receiver's queue (protocol 7.3).
public struct MediaQueueItem: Sendable, Hashable {
  /// The receiver's number; nil until the receiver has given one, and required to be nil when an item is inserted.
  public var itemID: MediaQueueItemID?
  /// What it plays; nil in windows that leave it out.
  public var mediaInformation: MediaInformation?
  /// Whether it plays when it becomes current; default true. False holds the queue at this item.
  public var autoplay: Bool
  /// Where it starts each time; nil is the beginning, or the live edge.
  public var startTime: MediaTime?
  /// How long it plays at most; nil is to the end, a negative time ends it so long before its end. The default receiver ignores it (protocol 21.7).
  public var playbackDuration: MediaTime?
  /// How long before the end of the previous item this one is fetched, 0 or more; nil is not at all.
  public var preloadTime: MediaTime?
  /// Tracks shown from the start; nil leaves the choice to the receiver.
  public var activeTrackIDs: [Int]?
  /// Where the receiver had the item before it shuffled; nil when it does not say. Receivers tell it, senders need not.
  public var orderID: Int?
  /// The sender's own data; travels back in statuses. Nil when there is none.
  public var customData: JSONValue?
  /// Members this version does not know.
  public var unknownMembers: [String: JSONValue] = [:]

  /// An item to insert.
  public init(
    mediaInformation: MediaInformation?, autoplay: Bool = true, startTime: MediaTime? = nil,
    playbackDuration: MediaTime? = nil, preloadTime: MediaTime? = nil, activeTrackIDs: [Int]? = nil,
    customData: JSONValue? = nil
  ) {
    self.mediaInformation = mediaInformation
    self.autoplay = autoplay
    self.startTime = startTime
    self.playbackDuration = playbackDuration
    self.preloadTime = preloadTime
    self.activeTrackIDs = activeTrackIDs
    self.customData = customData
  }

  package init?(json: JSONValue) {
    guard var members = JSONMembers(json) else { return nil }
    itemID = members.take("itemId").flatMap(MediaQueueItemID.init(json:))
    mediaInformation = MediaInformation(json: members.take("media"))
    autoplay = members.take("autoplay")?.bool ?? true
    startTime = MediaTime(members.take("startTime"), .position)
    playbackDuration = MediaTime(members.take("playbackDuration"), .playLimit)
    preloadTime = MediaTime(members.take("preloadTime"), .length)
    activeTrackIDs = members.take("activeTrackIds").list { $0.integer(.trackID) }
    orderID = members.take("orderId")?.integer(.index)
    customData = members.take("customData")
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members([
      "itemId": JSONValue(itemID?.rawValue), "media": mediaInformation?.json, "autoplay": .bool(autoplay),
      "startTime": JSONValue(startTime?.seconds), "playbackDuration": JSONValue(playbackDuration?.seconds),
      "preloadTime": JSONValue(preloadTime?.seconds), "orderId": JSONValue(orderID),
      "activeTrackIds": activeTrackIDs.map { .array($0.map { .integer(Int64($0)) }) },
      "customData": customData,
    ]).keeping(unknownMembers)
  }
}
