/// What a viewer thinks of the media, told to the application (protocol 6.3).
public struct UserActionRequest: Sendable, Hashable {
  /// What the viewer did.
  public enum Action: WireWord {
    /// Likes it.
    case like
    /// Dislikes it.
    case dislike
    /// Wants more of it.
    case follow
    /// Wants no more of it.
    case unfollow
    /// Reports it.
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

  /// What the action is about.
  public enum Context: WireWord {
    /// Not told.
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

  /// What the viewer did.
  public var action: Action
  /// What it is about; nil leaves it out.
  public var context: Context?
  /// True takes the action back; nil leaves it out, which does not.
  public var clears: Bool?
  /// Where the action comes from, in the application's own format; nil leaves it out.
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

/// The application wants proof anew of who is watching (protocol 6.3); answer with the client's `setCredentials`.
public struct CredentialsRefresh: Sendable, Hashable {
  /// What an answer refers to; nil when the application does not number its wishes.
  public var requestID: Int?
  /// Application-defined data; nil when it sent none.
  public var customData: JSONValue?
}

/// Proof of who is watching, when the application asks for it or when it changes (protocol 6.3).
package struct CredentialsAnswer: Sendable, Hashable {
  package var credentials: String
  /// The wish it answers; nil when there was no request.
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
