public import CastProtocol

// Tracks and subtitle styles (protocol 10).

extension RemoteMediaClient {
  /// Sets all active tracks, text and audio together; `[]` deactivates all. Include the id of the audio track when you change
  /// subtitles (protocol 10.2).
  ///
  /// Fails with `invalidRequest` when an id is unknown, or two of them exclude each other.
  @discardableResult
  public func setActiveTrackIDs(_ ids: [Int], customData: JSONValue? = nil) -> Request<MediaStatus?> {
    status(.editTracksInfo(TracksEdit(activeTrackIDs: ids)), customData)
  }

  /// Sets the style of subtitles. Nil values in the style are left to the receiver.
  @discardableResult
  public func setTextTrackStyle(_ style: MediaTextTrackStyle, customData: JSONValue? = nil)
    -> Request<MediaStatus?>
  {
    status(.editTracksInfo(TracksEdit(textTrackStyle: style)), customData)
  }

  /// Hides all text, or shows the last shown text track, else the first one (protocol 10.2).
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

  /// Plays the audio track of a language (protocol 6.3).
  /// - Parameters:
  ///   - language: BCP 47 language; nil is the default audio track.
  ///   - customData: for the receiver application; nil sends none.
  @discardableResult
  public func selectAudioTrack(language: String?, customData: JSONValue? = nil) -> Request<MediaStatus?> {
    status(.editAudioTracks(language: language), customData)
  }
}
