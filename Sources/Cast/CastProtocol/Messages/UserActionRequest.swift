/// A viewer's opinion of the media, sent to the application (protocol 6.3).
public struct UserActionRequest: Sendable, Hashable {
  /// The viewer's action.
  public enum Action: WireWord {
    /// Likes it.
    case like
    /// Dislikes it.
    case dislike
    /// Follows it.
    case follow
    /// Unfollows it.
    case unfollow
    /// Flags it.
    case flag
    /// Skips the ad.
    case skipAd
    /// A value unknown to this version.
    case unknown(String)
    package static let words: [(word: String, value: Self)] = [
      ("LIKE", .like), ("DISLIKE", .dislike), ("FOLLOW", .follow), ("UNFOLLOW", .unfollow), ("FLAG", .flag),
      ("SKIP_AD", .skipAd),
    ]
  }

  /// The subject of the action.
  public enum Context: WireWord {
    /// Not specified.
    case unknownContext
    /// An album.
    case album
    /// An artist.
    case artist
    /// A channel.
    case channel
    /// A coach.
    case coach
    /// An episode.
    case episode
    /// A film.
    case movie
    /// A player of a game.
    case player
    /// A list.
    case playlist
    /// A series.
    case series
    /// A team.
    case team
    /// A piece of music.
    case track
    /// A value unknown to this version.
    case unknown(String)
    package static let words: [(word: String, value: Self)] = [
      ("UNKNOWN_CONTEXT", .unknownContext), ("ALBUM", .album), ("ARTIST", .artist), ("CHANNEL", .channel),
      ("COACH", .coach), ("EPISODE", .episode), ("MOVIE", .movie), ("PLAYER", .player),
      ("PLAYLIST", .playlist), ("SERIES", .series), ("TEAM", .team), ("TRACK", .track),
    ]
  }

  /// The viewer's action.
  public var action: Action
  /// Its subject; nil leaves it out.
  public var context: Context?
  /// True clears the action; nil leaves it out, which does not.
  public var clears: Bool?
  /// The origin of the action, in the application's own format; nil leaves it out.
  public var source: String?

  /// An action; everything else defaults to absent.
  public init(_ action: Action, context: Context? = nil, clears: Bool? = nil, source: String? = nil) {
    self.action = action
    self.context = context
    self.clears = clears
    self.source = source
  }

  var json: JSONValue {
    .members([
      "userAction": action.json, "userActionContext": context?.json, "clear": JSONValue(clears),
      "source": JSONValue(source),
    ])
  }
}

/// The application requests the viewer's credentials again (protocol 6.3); reply with the client's `setCredentials`.
public struct CredentialsRefresh: Sendable, Hashable {
  /// Identifies the request in the reply; nil when the application does not number its requests.
  public var requestID: Int?
  /// Application-defined data; nil when it sent none.
  public var customData: JSONValue?
}

/// The viewer's credentials, when the application requests them or when they change (protocol 6.3).
package struct CredentialsAnswer: Sendable, Hashable {
  package var credentials: String
  /// The request it answers; nil when there was none.
  package var forRequestID: Int?
  package var source: String?

  package init(credentials: String, forRequestID: Int? = nil, source: String? = nil) {
    self.credentials = credentials
    self.forRequestID = forRequestID
    self.source = source
  }

  var json: JSONValue {
    .members([
      "credentials": .string(credentials), "forRequestId": JSONValue(forRequestID),
      "source": JSONValue(source),
    ])
  }
}
