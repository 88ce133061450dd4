import CastProtocol

/// The play that is on the screen, and how much of it has really been shown.
struct OpenPlay: Sendable, Hashable {
  let turn: EntryTurn
  /// Nil until the first frame was reported.
  private(set) var startedAt: WallTime?
  private var startedTick = Tick.zero
  private(set) var duration: MediaTime?
  /// Media seconds shown up to `position`.
  private(set) var played: Double = 0
  /// The last position known, and when it was known.
  private(set) var position: MediaTime = .zero
  private var positionAt: Tick
  private var isRunning = false
  private(set) var isPicture = false
  private var rate: Double = 1
  private(set) var reportedAt: Tick
  /// The ad that stands in the place of the content; nil outside of ad breaks.
  private(set) var ad: OpenAd?
  private var adPace = 1.0
  /// The content has been shown to its end: what is on the screen, if anything, is an ad after it.
  private(set) var isContentOver = false
  /// Nobody has looked since the last status.
  private var isUnseen = false
  /// For how long nobody has looked in all.
  private var unseen: Duration = .zero

  init(turn: EntryTurn, at now: Tick) {
    self.turn = turn
    positionAt = now
    reportedAt = now
  }

  /// A play that another process has begun: where it is now follows from what was written down.
  init(turn: EntryTurn, _ play: UnfinishedPlay, at now: Tick, wall: WallTime) {
    self.turn = turn
    startedAt = play.startedAt
    duration = play.duration
    played = play.played
    position = play.position
    // What the clocks of two processes say together is only as good as the time of the day.
    let age = min(max(wall - play.observedAt, 0), Self.longestAbsence)
    positionAt = Tick(now.sinceStart - .milliseconds(Int64(bounded: age * 1000)))
    let length = min(max(wall - play.startedAt, 0), Self.longestAbsence)
    startedTick = Tick(now.sinceStart - .milliseconds(Int64(bounded: length * 1000)))
    reportedAt = now
    isRunning = true
    isUnseen = true
  }

  /// Seconds; what was begun before a longer absence is not followed up.
  private static let longestAbsence: Double = 7 * 86_400

  /// A reported position further than this from where playback alone would have led is a seek.
  private static let seekTolerance = 1.5

  /// Takes in one status of this play; the ad that it says is over, if any.
  /// - Parameter seen: up to when the receiver was certainly there before it said so.
  mutating func update(_ status: MediaStatus, seen: Tick, at now: Tick, wall: WallTime) -> AdPlay? {
    if let length = status.mediaInformation?.streamDuration, length > 0 { duration = length }
    let wasRunning = isRunning
    var expected = expectedPosition(at: now)
    let wasContentOver = isContentOver
    isContentOver = isAfterContent(status)
    if isContentOver, !wasContentOver, wasRunning, isNearEnd(at: now) { expected = duration ?? expected }
    // A picture is PAUSED with no timeline of its own (protocol 21.7): what counts is the time it stands there.
    let isStanding = status.mediaInformation.map(\.isPicture) ?? isPicture
    // When the network kept a status back, nobody knows whether the picture still stood there afterwards: the next one tells.
    let told = isStanding && isPicture ? max(seen, positionAt) : now
    if told < now { expected = expectedPosition(at: told) }
    let reported = isPicture || isStanding || isContentOver ? expected : status.streamPosition ?? expected
    if wasRunning {
      let isSeek = reported < position || reported.seconds > expected.seconds + Self.seekTolerance
      if isUnseen {
        // Where it is now proves what was shown meanwhile only as far as it lies ahead, and could be reached.
        count(isSeek ? 0 : reported.seconds - position.seconds)
      } else {
        let cut = seen < now ? expectedPosition(at: seen) : expected
        count((isSeek ? cut.seconds : reported.seconds) - position.seconds)
      }
    }
    if isUnseen {
      isUnseen = false
      unseen += now - positionAt
    }
    position = reported
    positionAt = told
    isPicture = isStanding
    isRunning = (status.playerState == .playing || isPicture) && status.adBreakStatus == nil
    if status.playbackRate > 0 { rate = status.playbackRate }
    return updateAd(status, at: now, wall: moment(at: now, wall: wall))
  }

  /// Adds to the seconds shown, which never decrease: a receiver may make an entry shorter than what it has played of it.
  private mutating func count(_ seconds: Double) { played += max(seconds, 0) }

  private mutating func updateAd(_ status: MediaStatus, at now: Tick, wall: WallTime) -> AdPlay? {
    if let told = status.adBreakStatus, ad?.isSame(as: told) == true {
      ad?.update(told, in: status, at: now)
      return nil
    }
    let over = endAd(.passed, at: now)
    ad = status.adBreakStatus.map { OpenAd($0, in: status, pace: adPace, at: now, wall: wall) }
    return over
  }

  /// The ad is over; nil when there was none.
  mutating func endAd(_ end: OpenAd.End, at now: Tick) -> AdPlay? {
    guard let over = ad else { return nil }
    ad = nil
    adPace = over.pace
    return over.ended(end, at: now)
  }

  /// The ad on the screen could not be played.
  mutating func failAd() { ad?.fail() }

  /// Whether the content has ended: a post-roll is on, which has no position (protocol 21.12), or was on.
  private func isAfterContent(_ status: MediaStatus) -> Bool {
    guard let told = status.adBreakStatus else {
      guard isContentOver, let duration, let position = status.streamPosition else { return isContentOver }
      return position.seconds >= duration.seconds - Self.seekTolerance
    }
    let known = status.mediaInformation?.adBreaks.first { $0.identifier == told.breakIdentifier }
    if let known, !known.isEmbedded { return known.position == .postroll }
    return startedAt != nil && position > .zero && status.streamPosition == nil
  }

  /// Takes in where a command ended this play, when the receiver says: statuses of an end also carry 0 for "no position".
  mutating func close(at position: MediaTime?, at now: Tick) {
    guard let position, position > self.position, !isPicture, isRunning,
      position.seconds <= expectedPosition(at: now).seconds + Self.seekTolerance
    else { return }
    played += position.seconds - self.position.seconds
    self.position = position
    isRunning = false
  }

  /// Whether a status tells a position that lies before the one told last.
  func isSetBack(_ status: MediaStatus) -> Bool {
    guard startedAt != nil, !isPicture, !isContentOver, status.adBreakStatus == nil,
      status.playerState != .idle, status.playerState != .loading, let told = status.streamPosition
    else { return false }
    return told.seconds < position.seconds - 0.5
  }

  /// From now to the next status nobody looks.
  mutating func lookAway() { isUnseen = true }

  /// That nobody was there to see a part of it; nil when somebody was, all the time.
  var unseenNote: String? {
    guard unseen >= .seconds(1) else { return nil }
    return "the receiver was out of sight for \(Int(bounded: unseen.seconds.rounded())) s of it"
  }

  /// The first frame has been reported.
  mutating func start(at now: Tick, wall: WallTime) {
    startedAt = wall
    startedTick = now
  }

  /// Clocks on the wall drift and are corrected by less than this in silence.
  private static let clockTolerance = 2.0

  /// The moment that history has for now. It goes by the time that has really passed since the play began, so that a row's
  /// beginning and end agree with what was shown between them, even when the clock on the wall was set meanwhile.
  func moment(at now: Tick, wall: WallTime) -> WallTime {
    guard let startedAt else { return wall }
    // A silent correction may set the clock back a little, but no play ends before it began.
    guard clockOffset(at: now, wall: wall) != nil else { return max(wall, startedAt) }
    return startedAt.adding(seconds: (now - startedTick).seconds)
  }

  /// What is to be said of a clock that was set during the play; nil when it was not.
  func clockJump(at now: Tick, wall: WallTime) -> String? {
    clockOffset(at: now, wall: wall).map { offset in
      "the clock was set \(offset > 0 ? "forward" : "back") by \(Int(bounded: abs(offset).rounded())) s meanwhile"
    }
  }

  /// By how much the clock on the wall is ahead of where it would be had nobody set it; nil when that is next to nothing.
  private func clockOffset(at now: Tick, wall: WallTime) -> Double? {
    guard let startedAt else { return nil }
    let offset = (wall - startedAt) - (now - startedTick).seconds
    return abs(offset) > Self.clockTolerance ? offset : nil
  }

  /// A web page: it stands there from now on, until somebody says otherwise.
  mutating func stand(at now: Tick, wall: WallTime) {
    isPicture = true
    isRunning = true
    positionAt = now
    start(at: now, wall: wall)
  }

  /// Progress has been told.
  mutating func report(at now: Tick) { reportedAt = now }

  /// When progress is to be told next, if nothing else happens.
  var reportDue: Tick {
    let steady = reportedAt + PlaybackLedger.progressInterval
    return earlyReport.map { min($0, steady) } ?? steady
  }

  /// Progress is told soon after the beginning, too, so that something is known of a play that is cut short.
  var earlyReport: Tick? { Self.earlyReports.map { startedTick + $0 }.first { $0 > reportedAt } }

  private static let earlyReports: [Duration] = [.seconds(2), .seconds(5)]

  /// Where playback is now if nothing happened since the last status; never beyond the end.
  func expectedPosition(at now: Tick) -> MediaTime {
    guard isRunning else { return position }
    let moved = position + MediaTime(seconds: max((now - positionAt).seconds, 0) * rate)
    return duration.map { min(moved, max($0, position)) } ?? moved
  }

  /// Seconds shown if playback ran on from the last status until now.
  func expectedPlayed(at now: Tick) -> Double {
    played + expectedPosition(at: now).seconds - position.seconds
  }

  /// Seconds shown if playback ran on to the end: what FINISHED says.
  func playedToEnd(at now: Tick) -> Double {
    guard isRunning, let duration else { return expectedPlayed(at: now) }
    return played + max(duration.seconds - position.seconds, 0)
  }

  /// Seconds until it ends by itself; nil when unknown.
  func rest(at now: Tick) -> Double? {
    guard startedAt != nil, isRunning, !isPicture, let duration else { return nil }
    return max(duration.seconds - expectedPosition(at: now).seconds, 0) / rate
  }

  /// Whether the end was so near that what came next can only have come after it.
  func isNearEnd(at now: Tick) -> Bool {
    guard let duration else { return false }
    return expectedPosition(at: now).seconds >= duration.seconds - 1.5
  }
}
