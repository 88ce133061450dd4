public import CastProtocol

// Playing, pausing, seeking, speed, stream volume, ads (protocol 6.3, 9).

extension RemoteMediaClient {
  /// Resumes playback.
  @discardableResult
  public func play(customData: JSONValue? = nil) -> Request<MediaStatus?> { status(.play, customData) }

  /// Pauses playback.
  @discardableResult
  public func pause(customData: JSONValue? = nil) -> Request<MediaStatus?> { status(.pause, customData) }

  /// Ends the media session and clears the receiver's queue; the application keeps running.
  @discardableResult
  public func stop(customData: JSONValue? = nil) -> Request<MediaStatus?> { status(.stop, customData) }

  /// Seeks to a position. A newer seek replaces an unfinished one.
  /// - Parameters:
  ///   - position: seconds from the start of the content; any but a finite number fails with
  ///     `invalidRequest`.
  ///   - resumeState: the player state afterwards; nil leaves it unchanged.
  ///   - customData: for the receiver application; nil sends none.
  @discardableResult
  public func seek(
    to position: MediaTime, resumeState: MediaResumeState? = nil, customData: JSONValue? = nil
  ) -> Request<MediaStatus?> {
    status(.seek(SeekOptions(.position(position), resumeState: resumeState)), customData)
  }

  /// Seeks forward, or back when the offset is negative. A newer seek replaces an unfinished one. An offset
  /// that is no finite number of seconds fails with `invalidRequest`.
  @discardableResult
  public func seek(
    by offset: MediaTime, resumeState: MediaResumeState? = nil, customData: JSONValue? = nil
  ) -> Request<MediaStatus?> {
    status(.seek(SeekOptions(.offset(offset), resumeState: resumeState)), customData)
  }

  /// Seeks to the edge of a live stream (protocol 12.5). A newer seek replaces an unfinished one.
  @discardableResult
  public func seekToLiveEdge(resumeState: MediaResumeState? = nil, customData: JSONValue? = nil)
    -> Request<MediaStatus?>
  {
    status(.seek(SeekOptions(.liveEdge, resumeState: resumeState)), customData)
  }

  /// Lowest speed that applications made with Google's framework accept (protocol 17.1).
  public static let minimumPlaybackRate = 0.5
  /// Highest speed that applications made with Google's framework accept (protocol 17.1).
  public static let maximumPlaybackRate = 2.0

  /// Sets the speed, 0.5 to 2, where 1 is normal; it also applies to later items (protocol 21.12). Any but a
  /// finite number fails with `invalidRequest`.
  @discardableResult
  public func setPlaybackRate(_ rate: Double, customData: JSONValue? = nil) -> Request<MediaStatus?> {
    status(.setPlaybackRate(.rate(rate)), customData)
  }

  /// Multiplies the speed (protocol 6.3). A factor that is no finite number fails with `invalidRequest`.
  @discardableResult
  public func setPlaybackRate(factor: Double, customData: JSONValue? = nil) -> Request<MediaStatus?> {
    status(.setPlaybackRate(.factor(factor)), customData)
  }

  /// Sets the volume of the stream, 0 to 1; values outside are clamped, and any but a finite number fails
  /// with `invalidRequest`. It is not the device's volume. A newer request replaces an unfinished one.
  @discardableResult
  public func setStreamVolume(_ level: Double, customData: JSONValue? = nil) -> Request<MediaStatus?> {
    status(.setVolume(Volume(level: level.isFinite ? min(max(level, 0), 1) : level)), customData)
  }

  /// Mutes or unmutes the stream.
  @discardableResult
  public func setStreamMuted(_ isMuted: Bool, customData: JSONValue? = nil) -> Request<MediaStatus?> {
    status(.setVolume(Volume(isMuted: isMuted)), customData)
  }

  /// Skips the current clip of an ad break. Refused before the clip may be skipped, and outside of a break (protocol 9).
  @discardableResult
  public func skipAd(customData: JSONValue? = nil) -> Request<MediaStatus?> { status(.skipAd, customData) }
}

// MARK: - Positions between statuses

extension RemoteMediaClient {
  /// The current position: the last reported one, extrapolated while playing (protocol 6.5; 21, point 1). Nil when nothing is
  /// loaded, or no position is known.
  public func approximateStreamPosition() -> MediaTime? {
    let picture = session.picture
    return picture.mediaStatus?.streamPosition(after: session.time.now() - picture.mediaStatusAt)
  }

  /// The current seekable range of a live stream (protocol 12.5); nil when no live stream plays.
  public func approximateLiveSeekableRange() -> MediaLiveSeekableRange? {
    let picture = session.picture
    let elapsed = session.time.now() - picture.mediaStatusAt
    return picture.mediaStatus?.liveSeekableRange?.range(after: elapsed)
  }
}
