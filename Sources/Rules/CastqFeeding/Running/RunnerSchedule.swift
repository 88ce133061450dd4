import CastProtocol
import CastqPlaylists
package import CastqSchedule
import CastqText

/// What a runner reads of the schedule.
package struct ScheduleReading: Sendable {
  package let book: ScheduleBook
  package let device: ScheduleDevice
  /// Where the schedule continues; nil when nothing was ever decided for the device.
  package let last: ScheduleDecision?
  package let credits: [RuleID: ShareCredit]
  /// The share whose item was on the screen when the last process ended; nil when none was.
  package var share: ScheduleMachine.LeftShare?

  package init(
    book: ScheduleBook, device: ScheduleDevice, last: ScheduleDecision?, credits: [RuleID: ShareCredit] = [:]
  ) {
    self.book = book
    self.device = device
    self.last = last
    self.credits = credits
  }
}

/// The schedule of a runner's device, and the lists that it has chosen.
struct RunnerSchedule: Sendable {
  /// A list that the schedule wants.
  struct Slot: Sendable {
    let choice: ListChoice
    /// Nil while it is not known, or has nothing.
    var queue: QueueID?
    /// Whether no other entry of the list before it begins.
    var isNext = false
    /// Whether anything of it has been on the screen.
    var hasBegun = false
  }

  var machine: ScheduleMachine
  var now = Slot(choice: .base, queue: nil)
  /// What follows; nil when nothing does.
  var next: Slot?
  /// What is read as soon as it is known which share is due; nil while nothing is.
  var choosing: ShareReading?
  /// Whether something is read before a share is chosen: the item of a share that another process has left, or a lost connection, is to
  /// continue; or a person has chosen an entry.
  var passesShares = false
  /// When the machine looks again.
  var due: WallTime?
  /// When what could not be played is tried again; nil while nothing is.
  var retryDue: Tick?

  init(_ reading: ScheduleReading) {
    machine = ScheduleMachine(reading.book, device: reading.device)
  }

  /// A reading of rows that waits for a share to be chosen.
  enum ShareReading: Sendable {
    case first
    case next(besides: UpcomingPlace?)
  }

  /// Whether what is on the air is a programme that ends after its last entry.
  var isOnce: Bool { machine.onAir.map { $0.occurrence.end == nil } ?? false }

  /// What comes when the item on the screen has ended, or the list is over; nil when that is not known beforehand.
  func following(at now: Tick, wall: WallTime) -> ListChoice? {
    guard machine.isWaiting || isOnce else { return nil }
    var copy = machine
    let event: ScheduleMachine.Event =
      machine.isWaiting ? .itemEnded(shares: [:], next: nil) : .programmeEnded
    return copy.handle(event, at: now, wall: wall).compactMap { action in
      if case .show(let showing) = action { ListChoice(showing) } else { nil }
    }.last
  }
}

extension ListChoice {
  /// The list of what the schedule shows.
  init(_ showing: ScheduleMachine.Showing) {
    self.init(
      programme: showing.onAir?.programme, resume: showing.resume,
      isOnce: showing.onAir.map { $0.occurrence.end == nil } ?? false, isForStarts: showing.isStarted)
  }
}
