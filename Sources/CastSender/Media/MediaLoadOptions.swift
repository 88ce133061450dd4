public import CastProtocol

/// How media is loaded (protocol 6.4). What is nil is left to the receiver.
public struct MediaLoadOptions: Sendable, Hashable {
  /// Whether it plays once loaded; nil is the receiver's choice, which is to play.
  public var autoplay: Bool?
  /// Where it starts; nil is the beginning, or the live edge.
  public var playPosition: MediaTime?
  /// Speed, 0.5 to 2; nil is 1.
  public var playbackRate: Double?
  /// Tracks shown from the start; nil leaves the choice to the receiver, `[]` shows none.
  public var activeTrackIDs: [Int]?
  /// Whether explicit content is passed over; default false.
  public var filtersExplicitContent: Bool
  /// Proof of who is watching, for applications that want one; nil sends none.
  public var credentials: CredentialsData?
  /// The same for a native Android TV application that stands in for the web one; nil sends none.
  public var androidTVCredentials: CredentialsData?
  /// Data for the receiver application; nil sends none.
  public var customData: JSONValue?

  /// Everything left to the receiver, apart from what is given.
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

/// How a queue is loaded (protocol 7.1). What is nil is left to the receiver.
public struct MediaQueueLoadOptions: Sendable, Hashable {
  /// Index of the item to begin with, from 0; default 0.
  public var startIndex: Int
  /// What happens at the end of the queue; nil is the receiver's choice, which is to stop.
  public var repeatMode: MediaRepeatMode?
  /// Where the first item starts the first time; nil is where the item itself says.
  public var playPosition: MediaTime?
  /// Data for the receiver application; nil sends none.
  public var customData: JSONValue?

  /// From the first item on, apart from what is given.
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
