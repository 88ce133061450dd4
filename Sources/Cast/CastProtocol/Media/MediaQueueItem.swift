/// One item of a receiver's queue (protocol 7.3).
public struct MediaQueueItem: Sendable, Hashable {
  /// The id assigned by the receiver; nil until it is assigned, and must be nil when an item is inserted.
  public var itemID: MediaQueueItemID?
  /// The media; nil in windows that omit it.
  public var mediaInformation: MediaInformation? {
    get { boxedMedia?.value }
    set { boxedMedia = newValue.map(Boxed.init) }
  }
  private var boxedMedia: Boxed<MediaInformation>?
  /// Whether it plays when it becomes current; default true. False holds the queue at this item.
  public var autoplay: Bool
  /// Its start position each time; nil is the beginning, or the live edge.
  public var startTime: MediaTime?
  /// Maximum playing time; nil is to the end, a negative time ends it that long before its end. The default receiver ignores it
  /// (protocol 21.7).
  public var playbackDuration: MediaTime?
  /// How long before the end of the previous item this one is fetched, 0 or more; nil is not at all.
  public var preloadTime: MediaTime?
  /// Tracks that are active from the start; nil leaves the choice to the receiver.
  public var activeTrackIDs: [Int]?
  /// The item's index before the receiver shuffled; nil when it does not report it. Receivers report it, senders need not.
  public var orderID: Int?
  /// Sender-defined data; returned in statuses. Nil for none.
  public var customData: JSONValue?
  /// Members unknown to this version.
  public var unknownMembers: [String: JSONValue] = [:]

  /// An item to insert.
  public init(
    mediaInformation: MediaInformation?, autoplay: Bool = true, startTime: MediaTime? = nil,
    playbackDuration: MediaTime? = nil, preloadTime: MediaTime? = nil, activeTrackIDs: [Int]? = nil,
    customData: JSONValue? = nil
  ) {
    boxedMedia = mediaInformation.map(Boxed.init)
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
    boxedMedia = MediaInformation(json: members.take("media")).map(Boxed.init)
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
