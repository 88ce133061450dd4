// Positions between two statuses: receivers report them only with changes (protocol 6.5, 12.5; 21, point 1).

extension MediaStatus {
  /// The position this long after the status was received. It advances only while the content itself plays, including ads embedded
  /// in it, and never past its end. Nil when no position is known.
  public func streamPosition(after elapsed: Duration) -> MediaTime? {
    guard let streamPosition else { return nil }
    let speed = streamSpeed
    guard speed != 0 else { return streamPosition }
    let seconds = max(streamPosition.seconds + max(elapsed.seconds, 0) * speed, 0)
    let position = MediaTime(seconds: seconds.isFinite ? seconds : streamPosition.seconds)
    guard let end = mediaInformation?.streamDuration, streamPosition <= end else { return position }
    return min(position, end)
  }

  /// How fast the position advances by itself, in seconds of the media a second; 0 while it stands.
  package var streamSpeed: Double { playerState == .playing && !isContentInterrupted ? playbackRate : 0 }

  /// Whether an ad plays in place of the content: the content's position does not advance then (protocol 9).
  private var isContentInterrupted: Bool {
    guard let adBreakStatus else { return false }
    let adBreak = mediaInformation?.adBreaks.first { $0.identifier == adBreakStatus.breakIdentifier }
    return adBreak?.isEmbedded != true
  }
}

extension MediaLiveSeekableRange {
  /// The range this long after it was reported: a moving window advances, another one grows until the stream has ended.
  public func range(after elapsed: Duration) -> MediaLiveSeekableRange {
    guard !isLiveDone else { return self }
    var range = self
    let passed = MediaTime(seconds: max(elapsed.seconds, 0))
    range.endTime = endTime + passed
    if isMovingWindow { range.startTime = startTime + passed }
    return range
  }
}
