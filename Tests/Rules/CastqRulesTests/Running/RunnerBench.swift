import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText

/// A runner's machine without anything around it: what happens is told, and what it wants done is looked at.
struct RunnerBench {
  private(set) var machine: RunnerMachine
  private(set) var now = Tick.zero
  /// What the last event led to.
  private(set) var actions: [RunnerMachine.Action] = []
  /// What was answered so far.
  private(set) var answers: [TicketID: ControlReply] = [:]
  private(set) var reports: [RunnerReport] = []
  private(set) var end: RunEnd?

  static let device = Device(endpoint: DeviceEndpoint(host: "lobby"))
  static let application = ApplicationMetadata(json: [
    "appId": "CC1AD845", "displayName": "Receiver", "sessionId": "run-1", "transportId": "run-1",
    "namespaces": [["name": "urn:x-cast:com.google.cast.media"]],
  ])
  static let lost = CastError(.networkError, "the connection broke")

  init(_ configuration: RunnerConfiguration = RunnerConfiguration()) {
    machine = RunnerMachine(
      device: Self.device, label: "lobby", queue: "lobby", configuration: configuration)
  }

  mutating func tell(_ event: RunnerMachine.Event, after wait: Duration = .zero) {
    now = now + wait
    actions = machine.handle(
      event, at: now, wall: WallTime(milliseconds: 1_000_000).adding(seconds: now.sinceStart.seconds))
    for action in actions {
      switch action {
      case .answer(let ticket, let reply): answers[ticket] = reply
      case .report(let report): reports.append(report)
      case .ended(let end): self.end = end
      case .openSession, .endSession, .resumeSession, .request, .control, .readFirst, .readUpcoming,
        .readFallback,
        .readTurns, .recover, .find, .write, .noteSeen, .forgetRows, .setLooping, .finishRows, .noteStopped,
        .keepMedia, .explain, .resolve, .readFile, .startTimer, .cancelTimer, .readSchedule, .play, .follow,
        .promote,
        .readShares:
        break
      }
    }
  }

  /// The first places are read, and a session is opened.
  mutating func begin(_ list: UpcomingList = UpcomingList([RunnerBench.place()])) {
    tell(.begin)
    tell(.first(list))
  }

  /// The session says something.
  mutating func hear(_ event: SessionEvent, of number: Int = 1, after wait: Duration = .zero) {
    tell(.session(SessionNumber(number), event, seenUntil: now + wait), after: wait)
  }

  /// Does what the end of a run asks for, with a device that does not answer.
  mutating func close(_ error: CastError? = nil) {
    tell(.finishedRows(nil))
    while let patience = pause(of: .closing) { tell(.timerFired(.closing), after: patience) }
    if let closed { tell(.sessionClosed(closed, error)) }
  }

  static func place(_ url: String = "http://media/a.mp4", type: String = "video/mp4") -> UpcomingEntry {
    let media = MediaInformation(contentID: url, contentType: type, streamType: .buffered)
    return UpcomingEntry(
      entry: EntryID(1), turn: 0, round: 0, attempts: 0, draft: EntryDraft(media: media))
  }

  // MARK: - What the last event led to

  var opened: (number: SessionNumber, application: FeedApplication)? {
    actions.lazy.compactMap {
      if case .openSession(let number, let application, _) = $0 { (number, application) } else { nil }
    }
    .first
  }

  var closed: SessionNumber? {
    actions.lazy.compactMap { if case .endSession(let number, _) = $0 { number } else { nil } }.first
  }

  var resumed: SessionNumber? {
    actions.lazy.compactMap { if case .resumeSession(let number) = $0 { number } else { nil } }.first
  }

  /// How long until the timer fires that was started.
  func pause(of timer: RunnerTimer) -> Duration? {
    actions.lazy.compactMap { if case .startTimer(timer, let pause) = $0 { pause } else { nil } }.first
  }

  /// Requests to the device, by their name on the wire, with their tokens.
  var requests: [(name: String, token: RequestToken)] {
    actions.compactMap {
      if case .request(let token, let request, _) = $0 { (request.name, token) } else { nil }
    }
  }
}
