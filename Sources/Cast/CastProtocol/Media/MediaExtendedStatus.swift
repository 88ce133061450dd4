/// Activity in addition to the player state: a load (protocol 6.5).
public struct MediaExtendedStatus: Sendable, Hashable {
  /// `loading`; nil when the receiver does not report it.
  public var playerState: MediaPlayerState?
  /// What is being loaded; nil when the receiver does not report it.
  public var mediaInformation: MediaInformation? {
    get { boxedMedia?.value }
    set { boxedMedia = newValue.map(Boxed.init) }
  }
  private var boxedMedia: Boxed<MediaInformation>?
  /// The media session that is starting; nil when the receiver does not report it.
  public var mediaSessionID: MediaSessionID?
  /// Members unknown to this version.
  public var unknownMembers: [String: JSONValue] = [:]

  /// An extended status; by default a load without details.
  public init(
    playerState: MediaPlayerState? = .loading, mediaInformation: MediaInformation? = nil,
    mediaSessionID: MediaSessionID? = nil
  ) {
    self.playerState = playerState
    boxedMedia = mediaInformation.map(Boxed.init)
    self.mediaSessionID = mediaSessionID
  }

  package init?(json: JSONValue?) {
    guard var members = JSONMembers(json) else { return nil }
    playerState = MediaPlayerState(members.take("playerState"))
    boxedMedia = MediaInformation(json: members.take("media")).map(Boxed.init)
    mediaSessionID = members.take("mediaSessionId")?.integer(.identifier).map(MediaSessionID.init)
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members([
      "playerState": playerState?.json, "media": mediaInformation?.json,
      "mediaSessionId": JSONValue(mediaSessionID?.rawValue),
    ]).keeping(unknownMembers)
  }
}
