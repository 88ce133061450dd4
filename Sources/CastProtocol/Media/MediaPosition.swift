// Positions between two statuses: receivers tell them only when something changes (protocol 6.5, 12.5; 21, point 1).

extension MediaStatus {
  /// Where playback is, this long after the status came. Moves on only while the content itself plays, and never past its end.
  /// Nil when no position is known.
  public func streamPosition(after elapsed: Duration) -> MediaTime? {
    guard let streamPosition else { return nil }
    guard playerState == .playing, adBreakStatus == nil else { return streamPosition }
    let position = streamPosition.seconds + max(elapsed.seconds, 0) * playbackRate
    guard let end = mediaInformation?.streamDuration?.seconds, streamPosition.seconds <= end else {
      return MediaTime(seconds: position)
    }
    return MediaTime(seconds: min(position, end))
  }
}

extension MediaLiveSeekableRange {
  /// The range this long after it was told: a moving window moves, another one grows until the stream has ended.
  public func range(after elapsed: Duration) -> MediaLiveSeekableRange {
    guard !isLiveDone else { return self }
    var range = self
    let passed = MediaTime(seconds: max(elapsed.seconds, 0))
    range.endTime = endTime + passed
    if isMovingWindow { range.startTime = startTime + passed }
    return range
  }
}
