public import CastProtocol

/// Options of a load (protocol 6.4). Nil leaves an option to the receiver.
public struct MediaLoadOptions: Sendable, Hashable {
  /// Whether it plays once loaded; nil is the receiver's choice, which is to play.
  public var autoplay: Bool?
  /// Start position; nil is the beginning, or the live edge.
  public var playPosition: MediaTime?
  /// Speed, 0.5 to 2; nil is 1.
  public var playbackRate: Double?
  /// Tracks that are active from the start; nil leaves the choice to the receiver, `[]` activates none.
  public var activeTrackIDs: [Int]?
  /// Whether explicit content is skipped; default false.
  public var filtersExplicitContent: Bool
  /// The viewer's credentials, for applications that require them; nil sends none.
  public var credentials: CredentialsData?
  /// The credentials for a native Android TV application that runs instead of the web application; nil sends none.
  public var androidTVCredentials: CredentialsData?
  /// Data for the receiver application; nil sends none.
  public var customData: JSONValue?

  /// Options with the receiver's defaults, apart from the given values.
  public init(
    autoplay: Bool? = nil, playPosition: MediaTime? = nil, playbackRate: Double? = nil,
    activeTrackIDs: [Int]? = nil, filtersExplicitContent: Bool = false, credentials: CredentialsData? = nil,
    androidTVCredentials: CredentialsData? = nil, customData: JSONValue? = nil
  ) {
    self.autoplay = autoplay
    self.playPosition = playPosition
    self.playbackRate = playbackRate
    self.activeTrackIDs = activeTrackIDs
    self.filtersExplicitContent = filtersExplicitContent
    self.credentials = credentials
    self.androidTVCredentials = androidTVCredentials
    self.customData = customData
  }
}

/// Options of a queue load (protocol 7.1). Nil leaves an option to the receiver.
public struct MediaQueueLoadOptions: Sendable, Hashable {
  /// Index of the first item to play, from 0; default 0.
  public var startIndex: Int
  /// What to do at the end of the queue; nil is the receiver's choice, which is to stop.
  public var repeatMode: MediaRepeatMode?
  /// Start position of the first item, the first time; nil is the item's own start time.
  public var playPosition: MediaTime?
  /// Data for the receiver application; nil sends none.
  public var customData: JSONValue?

  /// Options to play from the first item on, apart from the given values.
  public init(
    startIndex: Int = 0, repeatMode: MediaRepeatMode? = nil, playPosition: MediaTime? = nil,
    customData: JSONValue? = nil
  ) {
    self.startIndex = startIndex
    self.repeatMode = repeatMode
    self.playPosition = playPosition
    self.customData = customData
  }
}

extension MediaLoadOptions {
  func request(_ media: MediaInformation?, _ queueData: MediaQueueData?) -> LoadRequest {
    var request = LoadRequest(
      media: media, queueData: queueData, autoplay: autoplay, currentTime: playPosition,
      playbackRate: playbackRate, activeTrackIDs: activeTrackIDs, customData: customData)
    request.filtersExplicitContent = filtersExplicitContent
    request.credentials = credentials?.credentials
    request.credentialsType = credentials?.credentialsType
    request.atvCredentials = androidTVCredentials?.credentials
    request.atvCredentialsType = androidTVCredentials?.credentialsType
    return request
  }
}

extension MediaQueueLoadOptions {
  func request(_ items: [MediaQueueItem]) -> QueueLoad {
    QueueLoad(
      items: items, startIndex: startIndex, repeatMode: repeatMode, currentTime: playPosition,
      customData: customData)
  }
}
