public import CastProtocol

// Tracks and how subtitles look (protocol 10).

extension RemoteMediaClient {
  /// Chooses the tracks that show and sound: all active ones, text and audio together; `[]` turns all off. Keep the sound's id
  /// when you change subtitles (protocol 10.2).
  ///
  /// Fails with `invalidRequest` when an id is unknown, or two of them exclude each other.
  @discardableResult
  public func setActiveTrackIDs(_ ids: [Int], customData: JSONValue? = nil) -> Request<MediaStatus?> {
    status(.editTracksInfo(TracksEdit(activeTrackIDs: ids)), customData)
  }

  /// Changes how subtitles look. What is nil in the style is left to the receiver.
  @discardableResult
  public func setTextTrackStyle(_ style: MediaTextTrackStyle, customData: JSONValue? = nil)
    -> Request<MediaStatus?>
  {
    status(.editTracksInfo(TracksEdit(textTrackStyle: style)), customData)
  }

  /// Hides all text, or shows what was shown last, else the first text track (protocol 10.2).
  @discardableResult
  public func setTextTracksEnabled(_ isEnabled: Bool, customData: JSONValue? = nil)
    -> Request<MediaStatus?>
  {
    status(.editTracksInfo(TracksEdit(enablesTextTracks: isEnabled)), customData)
  }

  /// Shows the text track of a language.
  /// - Parameters:
  ///   - language: BCP 47 language.
  ///   - customData: for the receiver application; nil sends none.
  @discardableResult
  public func selectTextTrack(language: String, customData: JSONValue? = nil) -> Request<MediaStatus?> {
    status(.editTracksInfo(TracksEdit(language: language)), customData)
  }

  /// Plays the sound of a language (protocol 6.3).
  /// - Parameters:
  ///   - language: BCP 47 language; nil is the default sound.
  ///   - customData: for the receiver application; nil sends none.
  @discardableResult
  public func selectAudioTrack(language: String?, customData: JSONValue? = nil) -> Request<MediaStatus?> {
    status(.editAudioTracks(language: language), customData)
  }
}
