import CastProtocol
import CastqPlaylists
import CastqText

/// The play on the screen, and how much of it has been shown.
struct OpenPlay: Sendable, Hashable {
  let turn: EntryTurn
  /// Nil until the first frame is reported.
  private(set) var startedAt: WallTime?
  private var startedTick = Tick.zero
  private(set) var duration: MediaTime?
  /// The length of its medium in the newest status; nil where the receiver does not say one, and of live media.
  private var reportedLength: MediaTime?
  /// Media seconds shown up to `position`.
  private(set) var played: Double = 0
  /// The last known position, and its time.
  private(set) var position: MediaTime = .zero
  private var positionAt: Tick
  /// What the clock allows to have been shown up to `positionAt`.
  private var clock = ShownClock()
  private(set) var isRunning = false
  private(set) var isPicture = false
  private var rate: Double = 1
  /// The highest speed reported.
  private(set) var highestRate: Double = 0
  private(set) var reportedAt: Tick
  /// The ad that plays in place of the content; nil outside of ad breaks.
  private(set) var ad: OpenAd?
  private var adPace = 1.0
  /// The content has been shown to its end: only an ad after it can still be on the screen.
  private(set) var isContentOver = false
  /// The play has been unobserved since the last status.
  private var isUnseen = false
  /// Up to when it was observed before that; nil is up to the last status.
  private var seenUntil: Tick?
  /// By how much the last position may be older than `positionAt`: the network had delayed its status.
  private var staleness = Duration.zero
  /// Media seconds by which positions lay behind the clock: a later one may make up for them.
  private var lag = 0.0
  /// Those for which no later position makes up.
  private var settledLag = 0.0
  /// How much of `lag` is of statuses that were late.
  private var lateLag = 0.0
  /// Total time unobserved.
  private var unseen: Duration = .zero

  init(turn: EntryTurn, at now: Tick) {
    self.turn = turn
    positionAt = now
    reportedAt = now
  }

  /// Resumes a play that another process began; its present position follows from the stored one.
  init(turn: EntryTurn, _ play: UnfinishedPlay, at now: Tick, wall: WallTime) {
    self.turn = turn
    startedAt = play.startedAt
    duration = play.duration
    played = play.played
    clock = ShownClock(seconds: play.played - ShownClock.jitter)
    position = play.position
    // Ages across two processes are measured by the wall clock.
    let age = min(max(wall - play.observedAt, 0), Self.longestAbsence)
    positionAt = Tick(now.sinceStart - .milliseconds(Int64(bounded: age * 1000)))
    let length = min(max(wall - play.startedAt, 0), Self.longestAbsence)
    startedTick = Tick(now.sinceStart - .milliseconds(Int64(bounded: length * 1000)))
    // The process before it knew the speed.
    if play.played > length, length > 0 { highestRate = min(play.played / length, ShownClock.fastest) }
    reportedAt = now
    isRunning = true
    isUnseen = true
  }

  /// Seconds; a play that was stored before a longer absence counts as this old.
  private static let longestAbsence: Double = 7 * 86_400

  /// Seconds; a reported position further than this from the expected one is a seek.
  private static let seekTolerance = 1.5

  /// Seconds; a position that a receiver reports by itself and that lies further back than this is a seek.
  private static let lagTolerance = 0.75

  /// Updates from a status of this play; returns the ad that ended with it, if any.
  /// - Parameters:
  ///   - seen: the last time at which the receiver was known to be connected before this status.
  ///   - isUnasked: the receiver sent it by itself, at the moment of a change.
  mutating func update(
    _ status: MediaStatus, seen: Tick, isUnasked: Bool, at now: Tick, wall: WallTime
  ) -> AdPlay? {
    measure(status)
    let wasRunning = isRunning
    var expected = expectedPosition(at: now)
    let wasContentOver = isContentOver
    isContentOver = isAfterContent(status)
    if isContentOver, !wasContentOver, wasRunning, isNearEnd(at: now, by: ShownClock.jitter) {
      expected = duration ?? expected
    }
    // A picture is PAUSED with no timeline of its own (protocol 21.7): the time on the screen counts.
    let isStanding = status.mediaInformation.map(\.isPicture) ?? isPicture
    // For a delayed status, it is unknown whether the picture was still on the screen; the next status decides.
    let knownUntil = isStanding && isPicture ? max(seen, positionAt) : now
    if knownUntil < now { expected = expectedPosition(at: knownUntil) }
    // Without a position, a status that was delayed, or is the first after an absence, proves no more than what was seen.
    let hasPosition = !isPicture && !isStanding && !isContentOver && status.streamPosition != nil
    let isBlind = !hasPosition && !isStanding && wasRunning && (seen < now || isUnseen)
    let lastProven = isUnseen ? lastSeen : max(seen, positionAt)
    let presumed = isBlind ? expectedPosition(at: min(lastProven, now)) : expected
    let reported = hasPosition ? status.streamPosition ?? presumed : presumed
    staleness = max(now - seen, .zero)
    var isLateSeek = false
    let newRate = isStanding ? 1 : min(status.playbackRate, ShownClock.fastest)
    if wasRunning {
      let time = max(knownUntil - positionAt, .zero)
      // A status that nobody asked for comes with what it reports; of others it is unknown since when their speed applies.
      let isTimely = isUnasked && !isUnseen && seen >= now
      let fastest = isTimely ? rate : max(rate, newRate)
      clock.run(for: time, rate: fastest)
      let furthest = max(expected.seconds, position.seconds + ShownClock.seconds(in: time, rate: fastest))
      let (reach, back) = (lag + furthest, furthest - reported.seconds)
      // One that lies back is of a seek, then; others lie back where playback stalled, or where they were delayed.
      let isSeek =
        reported < position || reported.seconds > reach + Self.seekTolerance
        || (isTimely && status.playerState == .playing && back > Self.lagTolerance)
      // The present position proves playback while unobserved only if it lies ahead and was reachable.
      let cut = isUnseen ? expectedPosition(at: lastSeen) : seen < now ? expectedPosition(at: seen) : expected
      count((isSeek ? cut.seconds : reported.seconds) - position.seconds)
      isLateSeek = isSeek && seen < now
      noteLateness(by: isSeek || isUnseen ? 0 : max(lag + back, 0), isLate: seen < now)
      if !isSeek, !isUnseen, seen >= now, abs(back) <= Self.lagTolerance { settleLag() }
    }
    // Whether it stayed in an ad or a pause is unknown, too, and what it showed before somebody sought.
    if isBlind || !wasRunning || isLateSeek, startedAt != nil, !isUnseen, seen < now {
      unseen += now - max(seen, positionAt)
    }
    if isUnseen {
      unseen += now - positionAt
      isUnseen = false
      seenUntil = nil
    }
    position = reported
    positionAt = knownUntil
    isPicture = isStanding
    isRunning = (status.playerState == .playing || isPicture) && status.adBreakStatus == nil
    if newRate > 0 {
      rate = newRate
      if status.playerState == .playing { highestRate = max(highestRate, rate) }
    }
    return updateAd(status, at: now, wall: moment(at: now, wall: wall))
  }

  /// Positions lie behind the clock by this now. What lies behind because a status was late is a time in which nothing was seen, unless a
  /// later position makes up for it.
  private mutating func noteLateness(by lag: Double, isLate: Bool) {
    defer { self.lag = lag }
    guard rate > 0, !isUnseen else { return lateLag = 0 }
    let change = lag - self.lag
    let late = change > 0 ? (isLate ? change : 0) : max(change, -lateLag)
    lateLag += late
    unseen += .bounded(seconds: late / rate)
  }

  /// Positions keep pace with the clock again. What lies behind was an ad, a stall or a seek: no later position makes up for it, and one
  /// that seems to is of a seek.
  private mutating func settleLag() {
    guard lag > ShownClock.tolerance else { return }
    settledLag += lag
    (lag, lateLag) = (0, 0)
  }

  /// The last moment at which it was observed.
  var lastSeen: Tick { max(seenUntil ?? positionAt, positionAt) }

  private mutating func measure(_ status: MediaStatus) {
    guard let media = status.mediaInformation else { return }
    let length = media.streamDuration.flatMap { $0 > 0 ? $0 : nil }
    duration = length ?? duration
    reportedLength = media.isLive ? nil : length
  }

  /// Adds to the seconds shown, which never decrease, because a receiver may report a length shorter than what it has played, and
  /// never exceed the clock.
  private mutating func count(_ seconds: Double) {
    played = max(played, min(played + max(seconds, 0), clock.seconds + ShownClock.jitter))
  }

  private mutating func updateAd(_ status: MediaStatus, at now: Tick, wall: WallTime) -> AdPlay? {
    if let reported = status.adBreakStatus, ad?.isSame(as: reported) == true {
      ad?.update(reported, in: status, at: now)
      return nil
    }
    let over = endAd(.passed, at: now)
    ad = status.adBreakStatus.map { OpenAd($0, in: status, pace: adPace, at: now, wall: wall) }
    return over
  }

  /// Ends the ad; nil when there is none.
  mutating func endAd(_ end: OpenAd.End, at now: Tick) -> AdPlay? {
    guard let over = ad else { return nil }
    ad = nil
    adPace = over.pace
    return over.ended(end, at: now)
  }

  /// The ad on the screen could not be played.
  mutating func failAd() { ad?.fail() }

  /// Whether the content has ended: a post-roll plays or played, which has no position (protocol 21.12).
  private func isAfterContent(_ status: MediaStatus) -> Bool {
    guard let reported = status.adBreakStatus else {
      guard isContentOver, let duration, let position = status.streamPosition else { return isContentOver }
      return position.seconds >= duration.seconds - Self.seekTolerance
    }
    let known = status.mediaInformation?.adBreaks.first { $0.identifier == reported.breakIdentifier }
    if let known, !known.isEmbedded { return known.position == .postroll }
    return startedAt != nil && position > .zero && status.streamPosition == nil
  }

  /// Records the position at which a command ended this play, if it is reported: final statuses also carry 0 for "no position".
  mutating func close(at position: MediaTime?, at now: Tick) {
    guard let position, position > self.position, !isPicture, isRunning,
      position.seconds <= expectedPosition(at: now).seconds + Self.seekTolerance
    else { return }
    clock.run(for: now - positionAt, rate: rate)
    count(position.seconds - self.position.seconds)
    self.position = position
    isRunning = false
  }

  /// Whether a status reports a position before the last reported one.
  func isSetBack(_ status: MediaStatus) -> Bool {
    guard startedAt != nil, !isPicture, !isContentOver, status.adBreakStatus == nil,
      status.playerState != .idle, status.playerState != .loading, let reported = status.streamPosition
    else { return false }
    return reported.seconds < position.seconds - 0.5
  }

  /// The play is unobserved until the next status.
  /// - Parameter since: up to when it was observed; nil is up to the last status.
  mutating func markUnobserved(since: Tick?) {
    guard !isUnseen else { return }
    isUnseen = true
    seenUntil = since
  }

  /// Seconds between its beginning and now in which the device was not seen.
  /// - Parameter known: the last time at which the receiver was known to be connected.
  func unobserved(at now: Tick, seen known: Tick) -> Double {
    max((unseen + (now - (isUnseen ? positionAt : known))).seconds, 0)
  }

  /// It is found playing, and began unobserved: its position says how long ago, a picture has none.
  mutating func beginUnseen(_ status: MediaStatus, since: Tick, at now: Tick) {
    let isStill = status.mediaInformation?.isPicture == true
    let speed = status.playbackRate > 0 ? status.playbackRate : 1
    let position = isStill ? nil : status.streamPosition.map { max($0.seconds, 0) / speed }
    unseen += min(max(now - since, .zero), .bounded(seconds: position ?? .infinity))
  }

  /// Records the first frame. Of a delayed report it is unknown when that was.
  mutating func start(at now: Tick, wall: WallTime) {
    startedAt = wall
    startedTick = now
    unseen += staleness
  }

  /// Seconds; smaller differences of the wall clock are drift and silent corrections.
  private static let clockTolerance = 2.0

  /// The wall-clock time that history records for now. It follows the time that has passed since the play began, so that start and
  /// end of a row agree with the time shown even when the wall clock was set during the play.
  func moment(at now: Tick, wall: WallTime) -> WallTime {
    guard let startedAt else { return wall }
    // A silent correction may set the clock back a little, but no play ends before it began.
    guard clockOffset(at: now, wall: wall) != nil else { return max(wall, startedAt) }
    return startedAt.adding(seconds: (now - startedTick).seconds)
  }

  /// A note on a clock that was set during the play; nil when it was not.
  func clockJump(at now: Tick, wall: WallTime) -> String? {
    clockOffset(at: now, wall: wall).map { offset in
      let seconds = Int(bounded: abs(offset).rounded())
      return "the clock was set \(offset > 0 ? "forward" : "back") by \(seconds) s during the play"
    }
  }

  /// Seconds by which the wall clock is ahead of where it would be had it not been set; nil within `clockTolerance`.
  private func clockOffset(at now: Tick, wall: WallTime) -> Double? {
    guard let startedAt else { return nil }
    let offset = (wall - startedAt) - (now - startedTick).seconds
    return abs(offset) > Self.clockTolerance ? offset : nil
  }

  /// A web page is shown from now on, until it is ended.
  mutating func startPage(at now: Tick, wall: WallTime) {
    isPicture = true
    isRunning = true
    positionAt = now
    start(at: now, wall: wall)
  }

  /// Progress has been reported.
  mutating func report(at now: Tick) { reportedAt = now }

  /// When progress is due next, if nothing else happens.
  var reportDue: Tick {
    let steady = reportedAt + PlaybackLedger.progressInterval
    return earlyReport.map { min($0, steady) } ?? steady
  }

  /// Progress is also reported soon after the start, so that a play that is cut short has some.
  var earlyReport: Tick? { Self.earlyReports.map { startedTick + $0 }.first { $0 > reportedAt } }

  private static let earlyReports: [Duration] = [.seconds(2), .seconds(5)]

  /// The present position if nothing has happened since the last status; never beyond the end.
  func expectedPosition(at now: Tick) -> MediaTime {
    guard isRunning else { return position }
    let moved = position + MediaTime(seconds: max((now - positionAt).seconds, 0) * rate)
    return duration.map { min(moved, max($0, position)) } ?? moved
  }

  /// Seconds shown if playback has continued since the last status.
  func expectedPlayed(at now: Tick) -> Double {
    bounded(played + expectedPosition(at: now).seconds - position.seconds, at: now, by: ShownClock.jitter)
  }

  /// Seconds shown if playback continued to the end.
  /// - Parameter jitter: seconds by which that may exceed the clock.
  func playedToEnd(at now: Tick, within jitter: Double = ShownClock.tolerance) -> Double {
    guard isRunning, let duration else { return expectedPlayed(at: now) }
    return bounded(played + max(duration.seconds - position.seconds, 0), at: now, by: jitter)
  }

  private func bounded(_ seconds: Double, at now: Tick, by tolerance: Double) -> Double {
    let running = isRunning ? ShownClock.seconds(in: now - positionAt, rate: rate) : 0
    return max(played, min(seconds, clock.seconds + running + tolerance))
  }

  /// Whether the end was reached, as FINISHED says; also where the length is unknown.
  func isAtEnd(at now: Tick) -> Bool {
    duration.map { $0.seconds - expectedPosition(at: now).seconds - lag <= ShownClock.jitter } ?? true
  }

  /// The highest speed, for its record; nil before the first frame.
  var recordedRate: Double? { startedAt == nil ? nil : highestRate > 0 ? highestRate : 1 }

  /// Seconds shown, for a record that ends at that moment.
  func recorded(_ seconds: Double, until end: WallTime) -> Double {
    guard let startedAt else { return 0 }
    return min(seconds, ShownClock.most(wall: end - startedAt, rate: recordedRate))
  }

  /// Seconds of its medium that were still to come, by the length that the receiver said; nil without one.
  func missing(at now: Tick) -> Double? {
    guard !isPicture, let reportedLength else { return nil }
    // It may have been shown while nothing was seen.
    let unseen = ShownClock.seconds(in: unseen, rate: max(rate, highestRate))
    let furthest = expectedPosition(at: now).seconds + max(uncertainty, lag) + unseen
    return max(reportedLength.seconds - furthest, 0)
  }

  /// Whether so much of its positions is missing that they may have come late, or playback may have stalled.
  var lags: Bool { lag + settledLag > ShownClock.tolerance }

  /// Media seconds by which it may be ahead of the expected position, because its last status was late.
  var uncertainty: Double { isRunning ? ShownClock.seconds(in: staleness, rate: rate) : 0 }

  /// Seconds until it ends by itself; nil when unknown.
  func rest(at now: Tick) -> Double? {
    guard startedAt != nil, isRunning, !isPicture, let duration else { return nil }
    return max(duration.seconds - expectedPosition(at: now).seconds, 0) / rate
  }

  /// Whether the end was so near that the next item can only have followed it.
  func isNearEnd(at now: Tick, by seconds: Double = 1.5) -> Bool {
    guard let duration else { return false }
    return expectedPosition(at: now).seconds >= duration.seconds - seconds
  }
}
