import CastProtocol
import CastqSchedule

/// What a site knows of one device.
struct SiteDevice: Sendable {
  /// What people call it.
  var label: String?
  /// Its rules by the configuration; nil for one that is not in the rows.
  var rules: DeviceRules?
  /// The list that the configuration gives to it; nil without one.
  var base: FollowedList?
  /// Its runner; nil without one.
  var run: SiteRun?
  /// What its next run is told.
  var start: RunStart?
  var waiters: FeedWaiters
  /// Requests that wait for a list which is being read: what plays is known afterwards.
  var late: [FeedAsk] = []
  /// Those whose list was read, until the runner has seen it, by its fences.
  var fenced: [[FeedAsk]] = []
  /// Requests whose runner ended before its reply came.
  var left: Set<TicketID> = []
}

/// A runner, as far as its reports tell.
struct SiteRun: Sendable {
  /// Whether its list restarts at its end.
  var loops: Bool
  /// The volume to keep, 0 to 1; nil leaves it unchanged.
  var volume: Double?
  /// Whether anything was shown.
  var hasShown = false
  var isConnected = false
  /// Why the device is unreachable; nil if it is connected or not yet called.
  var connectionError: CastError?
  /// What it waits for; nil while something is shown, or to be shown.
  var waits: Outlook?
  /// Why it was ended by castq itself; nil while it is not.
  var endReason: String?
  /// Requests for another list or entry that wait for its reply.
  var steering: Set<TicketID> = []
  /// Requests that arrived while it was ending, performed once it has ended.
  var postponed: [FeedAsk] = []
}
