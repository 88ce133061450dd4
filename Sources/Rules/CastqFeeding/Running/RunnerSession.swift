import CastProtocol
import CastqSchedule

/// A session of a runner, and what its device has reported over it.
struct RunnerSession: Sendable {
  let number: SessionNumber
  /// When the device was called.
  let calledAt: Tick
  var connection = Connection.calling
  /// The newest picture of the application that is joined; nil before.
  var application: ApplicationMetadata?
  /// The loudness of the device; nil before it was reported.
  var volume: DeviceVolume?
  /// The newest media status; nil when nothing is loaded.
  var mediaStatus: MediaStatus?
  /// Whether the application has reported anything of media.
  var hasMediaAnswer = false
  /// Up to when the device was certainly there, as far as its events were handled; nil before the first one.
  var seenUntil: Tick?
  /// The load under way; nil when there is none.
  var load: Load?

  enum Connection: Sendable {
    /// The device is being called for the first time, or the application launched.
    case calling
    /// The application is joined.
    case active
    /// The connection is lost; the session gets it back by itself, or ends.
    case suspended
  }

  /// A load that was sent and is not over.
  struct Load: Sendable {
    /// The media session that was there before; nil when there was none.
    let before: MediaSessionID?
  }

  init(_ number: SessionNumber, at now: Tick) {
    self.number = number
    calledAt = now
  }

  /// Whether the receiver has not yet reported the media session of the load under way.
  var isLoadUnnamed: Bool { load.map { mediaStatus?.mediaSessionID == $0.before } ?? false }

  var isConnected: Bool { connection == .active }

  mutating func joined(_ application: ApplicationMetadata?) {
    connection = .active
    self.application = application
  }

  /// Nothing is known of what the device does until it is joined again.
  mutating func suspend() {
    connection = .suspended
    mediaStatus = nil
    hasMediaAnswer = false
    load = nil
  }

  mutating func received(_ status: ReceiverStatus) {
    volume = status.volume
    application = application.map { joined in
      status.applications.first { $0.sessionID == joined.sessionID } ?? joined
    }
  }
}

/// Where a runner stands between two sessions, or in one.
enum RunnerStage: Sendable {
  /// Not begun, or the rows are being read for what comes first.
  case idle
  /// Nothing may be on the screen now: there is no session.
  case waiting(Outlook)
  /// Another session begins after a pause: the last one ended, or could not begin.
  case pausing
  /// A session with another application follows as soon as nothing is left of this one.
  case switching(from: SessionNumber)
  case session(RunnerSession)
}

/// The calls of a device since it went away, or since nothing was shown on it: an application that crashes as soon as it is fed
/// must not be launched for ever.
struct DeviceCalls: Sendable {
  /// Sessions in a row that showed nothing.
  private(set) var failures = 0
  /// When the first of them was lost; nil while none was.
  private(set) var since: Tick?
  /// Whether the device has ever answered in this run.
  var hasConnected = false
  /// When a lost device was called at once the last time.
  private var hurriedAt: Tick?
  /// Spreads the calls.
  var jitter: Jitter

  /// When more was received than could be handled the last time.
  private var overflowedAt: Tick?
  /// Sessions that a flood ended, but for those before a long one.
  private var floods = 0

  /// A session that was this long before it was flooded is no sign that the device does nothing else.
  private static let longestFlood = Duration.seconds(3600)
  /// A computer that was busy for a moment is not busy again within this time.
  private static let shortestPeace = Duration.seconds(300)
  /// A device that is lost again within this time is called at the pace of the policy.
  private static let shortest = Duration.seconds(5)

  init(jitter: Jitter) { self.jitter = jitter }

  /// One more was lost.
  /// - Returns: how long the device has been away.
  mutating func lost(at now: Tick) -> Duration {
    let first = since ?? now
    since = first
    return now - first
  }

  mutating func count() { failures += 1 }

  /// Whether a device that was lost is called at once: one that showed what it was given is, however often it was lost before. One that
  /// goes whenever something is shown is not, or it would be called, launched and loaded without end.
  mutating func hurries(at now: Tick) -> Bool {
    guard failures == 0, hurriedAt.map({ now - $0 >= Self.shortest }) ?? true else { return false }
    hurriedAt = now
    return true
  }

  /// The device does what it should.
  mutating func reset() { (failures, since) = (0, nil) }

  /// More was received than could be handled.
  /// - Returns: whether that happened a short time ago, too.
  mutating func overflowed(at now: Tick) -> Bool {
    defer { overflowedAt = now }
    return overflowedAt.map { now - $0 < Self.shortestPeace } ?? false
  }

  /// The device flooded its connection.
  /// - Returns: how long it is left alone: a minute, and twice as long each time, up to an hour.
  mutating func flooded(since begin: Tick, at now: Tick) -> Duration {
    floods = now - begin >= Self.longestFlood ? 1 : min(floods + 1, 7)
    return min(Duration.seconds(60) * (1 << (floods - 1)), .seconds(3600))
  }
}
