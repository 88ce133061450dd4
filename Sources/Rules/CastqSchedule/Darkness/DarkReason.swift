package import CastqText

/// Why castq has nothing on a screen: the one closed set of reasons, of the past, of now and of plans. A case that is new has to be derived
/// where it is seen, and needs its words here; nothing else switches over all of them.
package enum DarkReason: String, Sendable, Hashable, CaseIterable {
  /// The device does not answer.
  case unreachable
  /// The device is called for the first time, or after it was not needed.
  case connecting
  /// The application that plays is started on the device.
  case launching
  /// What was to be shown failed, and nothing else was there to be shown.
  case failed
  /// The next item loads.
  case loading
  /// Nothing is left to play, and no rule is on.
  case nothingDue = "nothing_due"
  /// The time of the next item has not come.
  case notYet = "not_before"
  /// Another sender has the screen.
  case guest
  /// Another sender had the screen and has left it, and castq does not take it yet.
  case guestGone = "guest_gone"
  /// A person stopped the device by castq.
  case stopped
  /// It was stopped at the device, or by another sender.
  case stoppedAtDevice = "stopped_at_device"
  /// By the configuration.
  case quietHours = "quiet_hours"

  /// The words of a reason.
  package struct Words: Sendable, Hashable {
    /// What documents call a stretch of it: a guest's screen is not dark.
    package let kind: String
    /// What `waiting_for` calls it; nil where it is nothing that a list waits for.
    package let waiting: String?
    /// What is so now.
    package let now: String
    /// What is so since a moment, which stands behind; nil where that is what is so now.
    fileprivate let since: String?
    /// What stands before its end.
    fileprivate let until: String
    /// What stands in place of the end where nobody knows it.
    fileprivate let endless: String
    /// What a person who types commands can do about it.
    fileprivate let command: String?
    /// What a feeder without a session does meanwhile.
    package let connection: Outlook.Connection
    /// Whether it is about the list: who has the screen is said before it.
    package let isOfList: Bool
    /// What was so, of a stretch that is over. A name of the device goes in front where the reason begins with a blank.
    package let past: String
    /// What competitors lack now, and what they lacked; nil where the screen is theirs.
    package let competing: String?
    package let due: String?
    /// What somebody is told who looks at a day.
    package let spoken: SpokenDarkness

    fileprivate init(
      _ kind: String, waiting: String?, now: String, since: String? = nil, until: String = " until ",
      endless: String = "", command: String? = nil, connection: Outlook.Connection = .connecting,
      isOfList: Bool = false, past: String, competing: String? = nil, due: String? = nil,
      spoken: SpokenDarkness = .nothing
    ) {
      (self.kind, self.waiting, self.now, self.since, self.until) = (kind, waiting, now, since, until)
      (self.endless, self.command, self.past) = (endless, command, past)
      (self.connection, self.isOfList) = (connection, isOfList)
      (self.competing, self.due, self.spoken) = (competing, due, spoken)
    }
  }

  /// The one table of words.
  package var words: Words {
    switch self {
    case .unreachable:
      Words(
        "dark", waiting: "device", now: "the device does not answer", since: "no answer",
        connection: .offline, past: " did not answer", competing: "is due, and the device does not answer",
        due: "was due, and the device did not answer",
        spoken: SpokenDarkness("Off", was: "it did not answer", now: "the screen does not answer"))
    case .failed:
      Words(
        "dark", waiting: "nothing_due", now: "nothing of the list can be played",
        command: "'castq history --outcome failed' says why", connection: .idle, isOfList: true,
        past: "what was to be shown failed",
        spoken: SpokenDarkness("Failed", was: "what was to be shown failed"))
    case .connecting:
      Words(
        "dark", waiting: "device", now: "castq connects to the device", isOfList: true, past: " was called",
        spoken: Self.starting)
    case .launching:
      Words(
        "dark", waiting: nil, now: "the device starts the application", isOfList: true,
        past: "the application was started", spoken: Self.starting)
    case .loading:
      Words(
        "dark", waiting: nil, now: "the next item loads", isOfList: true, past: "the next item was loaded",
        spoken: Self.starting)
    case .nothingDue:
      Words(
        "dark", waiting: "nothing_due", now: "nothing is left to play", connection: .idle, isOfList: true,
        past: "nothing was left to play, and no rule was on")
    case .notYet:
      Words(
        "dark", waiting: "not_before", now: "nothing on", endless: " yet",
        connection: .idle, isOfList: true, past: "nothing was due yet")
    case .guest:
      Words(
        "guest", waiting: "guest", now: "a guest has the screen", command: "'castq play' takes it back",
        past: "another sender had the screen", competing: "is due, and a guest has the screen",
        due: "was due, and a guest had the screen", spoken: .guest)
    case .guestGone:
      Words(
        "dark", waiting: "guest", now: "the guest has left, and castq waits",
        command: "'castq play' plays at once", past: "another sender had left the screen",
        competing: "is due, and castq waits in case the guest comes back",
        due: "was due, and castq waited in case the guest came back",
        spoken: SpokenDarkness("A guest has gone", was: "a guest had just left it"))
    case .stopped:
      Words(
        "stopped", waiting: "stopped", now: "stopped by castq", command: "'castq play' resumes",
        connection: .idle, past: "stopped by castq", competing: "is due, and the device is stopped",
        due: "was due, and the device was stopped",
        spoken: SpokenDarkness("Stopped", was: "it was stopped", now: "the screen is stopped"))
    case .stoppedAtDevice:
      Words(
        "stopped", waiting: "guest", now: "stopped at the device or by another sender",
        until: ", and castq waits until ", command: "'castq play' resumes",
        past: "stopped at the device or by another sender", competing: "is due, and the device is stopped",
        due: "was due, and the device was stopped",
        spoken: SpokenDarkness(
          "Stopped", was: "it was stopped at the screen itself", now: "the screen is stopped"))
    case .quietHours:
      Words(
        "quiet", waiting: "quiet_hours", now: "quiet hours", connection: .idle, past: "quiet hours",
        competing: "is due, and waits for the end of quiet hours",
        due: "was due, and waited for the end of quiet hours",
        spoken: SpokenDarkness("Quiet hours", was: "these were quiet hours", now: "these are quiet hours"))
    }
  }

  private static let starting = SpokenDarkness(was: "it was starting")

  /// Whether a person who looks for dark minutes is to hear of it: what somebody wanted is none.
  package var isDarkness: Bool { words.kind == "dark" }
}

extension Outlook {
  /// What the list waits for, in words; nil if that is nothing.
  /// - Parameters:
  ///   - application: what is on the screen; nil when nothing says it.
  ///   - hasCommands: whether the words are for a person who types commands.
  ///   - hasWork: whether there is something to play once the device is not stopped any more.
  ///   - time: writes a moment.
  package func words(
    application: String? = nil, hasCommands: Bool = true, hasWork: Bool = true,
    _ time: (WallTime) -> String
  ) -> String? {
    guard let reason, case let words = reason.words else { return nil }
    var text = since == nil ? words.now : words.since ?? words.now
    if reason == .guest, let application { text += " (\(TerminalText.sanitized(application)))" }
    if let since { text += " since \(time(since))" }
    if let calls { text += " (\(calls) \(calls == 1 ? "attempt" : "attempts"))" }
    text += until.map { "\(words.until)\(time($0))" } ?? words.endless
    let isStopped = reason == .stopped || reason == .stoppedAtDevice
    let command = isStopped && !hasWork ? "nothing is left in the queue" : words.command
    if hasCommands, let command { text += "; \(command)" }
    return text
  }
}
