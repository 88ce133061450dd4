import CastProtocol
import CastqText

/// Live commands that wait for what becomes of an entry, or of the run.
struct RunnerCommands: Sendable {
  /// The skip that is being carried out; taken by the action that asks the receiver for it.
  private var skip: TicketID?
  /// Commands for what plays, while it is being found out or loaded.
  private var early: [(command: ControlCommand, ticket: TicketID)] = []
  private var firstPlays: [(ticket: TicketID, play: FirstPlay)] = []
  /// Who stopped the list: answered when everything is over.
  private var halts: [TicketID] = []

  mutating func begin(skip ticket: TicketID) { skip = ticket }

  /// The ticket of the skip that is being carried out; nil when another action has it, or there is no skip.
  mutating func takeSkip() -> TicketID? {
    defer { skip = nil }
    return skip
  }

  /// How long such a command waits. Who sent it waits a little longer.
  static let patience = Duration.seconds(10)
  /// The most that wait; a person presses no more.
  private static let most = 64

  /// Keeps a command until something is on the screen.
  /// - Returns: false when too many wait.
  mutating func postpone(_ command: ControlCommand, _ ticket: TicketID) -> Bool {
    guard early.count < Self.most else { return false }
    early.append((command, ticket))
    return true
  }

  /// Whether commands wait for something on the screen.
  var hasPostponed: Bool { !early.isEmpty }

  /// Those that wait, in their order; none waits afterwards.
  mutating func takePostponed() -> [(command: ControlCommand, ticket: TicketID)] {
    defer { early = [] }
    return early
  }

  mutating func await(_ play: FirstPlay, _ ticket: TicketID) { firstPlays.append((ticket, play)) }

  mutating func awaitEnd(_ ticket: TicketID) { halts.append(ticket) }

  /// The replies that follow from a report.
  mutating func observe(_ report: RunnerReport) -> [(TicketID, ControlReply)] {
    var replies: [(TicketID, ControlReply)] = []
    for index in firstPlays.indices.reversed() {
      guard let reply = firstPlays[index].play.observe(report) else { continue }
      replies.append((firstPlays.remove(at: index).ticket, reply))
    }
    return replies
  }

  /// The replies to all who wait for an entry that will not come.
  mutating func fail(_ failure: Failure) -> [(TicketID, ControlReply)] {
    defer { firstPlays = [] }
    return firstPlays.map { ($0.ticket, .failed(failure)) }
  }

  /// The replies to all who still wait when the run is over.
  /// - Parameter haltFailure: why the device was not stopped; nil when it was.
  func lastAnswers(_ end: RunEnd, haltFailure: Failure?) -> [(TicketID, ControlReply)] {
    firstPlays.map { ($0.ticket, $0.play.answer(end)) } + early.map { ($0.ticket, .failed(.nothingPlays)) }
      + halts.map { ($0, haltFailure.map { .failed($0) } ?? .done) }
  }
}
