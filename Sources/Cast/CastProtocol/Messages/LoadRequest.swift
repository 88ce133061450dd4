/// One load of media, of a queue, or of both (protocol 6.4).
package struct LoadRequest: Sendable, Hashable {
  /// The media; may be nil when `queueData` has items.
  package var media: MediaInformation? {
    get { boxedMedia?.value }
    set { boxedMedia = newValue.map(Boxed.init) }
  }
  private var boxedMedia: Boxed<MediaInformation>?
  /// The queue to load; nil loads one item.
  package var queueData: MediaQueueData? {
    get { boxedQueue?.value }
    set { boxedQueue = newValue.map(Boxed.init) }
  }
  private var boxedQueue: Boxed<MediaQueueData>?
  /// Whether it plays once loaded; nil leaves the choice to the receiver.
  package var autoplay: Bool?
  /// Start position; nil is the beginning, or the live edge.
  package var currentTime: MediaTime?
  /// Speed, 1 is normal; nil leaves it to the receiver.
  package var playbackRate: Double?
  /// Tracks that are active from the start; nil is the default choice, empty is none.
  package var activeTrackIDs: [Int]?
  /// Whether explicit content is skipped.
  package var filtersExplicitContent = false
  /// The viewer's credentials, in the application's own format.
  package var credentials: String?
  package var credentialsType: String?
  /// Replace `credentials` when a native application plays.
  package var atvCredentials: String?
  package var atvCredentialsType: String?
  /// Application-defined data.
  package var customData: JSONValue?

  package init(
    media: MediaInformation? = nil, queueData: MediaQueueData? = nil, autoplay: Bool? = true,
    currentTime: MediaTime? = nil, playbackRate: Double? = nil, activeTrackIDs: [Int]? = nil,
    customData: JSONValue? = nil
  ) {
    boxedMedia = media.map(Boxed.init)
    boxedQueue = queueData.map(Boxed.init)
    self.autoplay = autoplay
    self.currentTime = currentTime
    self.playbackRate = playbackRate
    self.activeTrackIDs = activeTrackIDs
    self.customData = customData
  }

  /// The members of the message, which are also those of `loadRequestData` (protocol 6.9).
  package var json: JSONValue {
    .members([
      "media": media?.json, "queueData": queueData?.withoutItemIDs.json, "autoplay": JSONValue(autoplay),
      "currentTime": JSONValue(currentTime?.seconds), "playbackRate": JSONValue(playbackRate),
      "activeTrackIds": JSONValue(trackIDs: activeTrackIDs),
      "loadOptions": filtersExplicitContent ? ["contentFilteringMode": "FILTER_EXPLICIT"] : nil,
      "credentials": JSONValue(credentials), "credentialsType": JSONValue(credentialsType),
      "atvCredentials": JSONValue(atvCredentials), "atvCredentialsType": JSONValue(atvCredentialsType),
      "customData": customData,
    ])
  }
}

extension JSONValue {
  /// Track ids; nil for nil. An empty list means "no tracks", so it is sent.
  init?(trackIDs: [Int]?) {
    guard let trackIDs else { return nil }
    self = .array(trackIDs.map { .integer(Int64($0)) })
  }
}

extension MediaQueueItem {
  /// The item without its id: receivers refuse to insert an item with one (protocol 7.3).
  var withoutItemID: MediaQueueItem {
    var item = self
    item.itemID = nil
    return item
  }
}

extension MediaQueueData {
  fileprivate var withoutItemIDs: MediaQueueData {
    var data = self
    data.items = items.map(\.withoutItemID)
    return data
  }
}
