import CastSender
import CastqCore
import CastqStore

/// Start options of a feed request.
struct PendingStart {
  /// Where the first entry starts; nil uses the resume position in the rows.
  var resume: ResumePoint?
  /// Whether to replace what the device still plays for the queue instead of adopting it.
  var startsOver = false
  /// How long to call a device that has not answered yet, if feeding ends with its run.
  var patience: Duration = .zero
}

/// A device with a runner.
struct FedDevice {
  let device: KnownDevice
  let run: DeviceFeeder.Run
  let feeder: DeviceFeeder
  /// Whether its list restarts at its end.
  var loops: Bool
  /// The volume to keep, 0 to 1; nil leaves it unchanged.
  var volume: Double?
  /// Whether anything was shown.
  var hasShown = false
  var isConnected = false
  /// Why the device is unreachable; nil if it is connected or not yet called.
  var connectionError: CastError?
  /// What its runner waits for; nil while something is shown, or to be shown.
  var waits: Outlook?
  /// Why it was ended by the daemon itself; nil while it is not.
  var endReason: String?
  /// Requests that arrived while the runner was ending, performed once it has ended.
  var pendingRequests: [(request: FeedRequest, ticket: ControlTicket)] = []
}
