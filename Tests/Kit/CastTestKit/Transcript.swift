import CastProtocol

/// The events of a session machine in readable form: one line for each event, with the actions it led to.
///
///     # a comment
///     let dmr = {"appId":"CC1AD845", …}                  a name for JSON that is used more than once
///     at 0.000  start play CC1AD845                    -> publish connecting · open tv:8009
///     at 0.050  recv RECEIVER_STATUS #1 {"status":{"applications":[$dmr]}}
///               -> …
///
/// Only the left sides are input. `replay()` feeds them to a new machine and rewrites the whole transcript; a test compares it with
/// the file. Timers need no lines: they fire when they are due, and `wait` advances the time.
package struct Transcript {
  /// A line that cannot be parsed.
  package struct ParseError: Error, CustomStringConvertible {
    package var line: Int
    package var reason: String
    package var description: String { "line \(line): \(reason)" }
  }

  private let text: String

  package init(_ text: String) { self.text = text }

  /// The transcript with the actions of the current machine.
  package func replay() throws(ParseError) -> String {
    var player = TranscriptPlayer()
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      do {
        try player.play(line)
      } catch {
        throw ParseError(line: index + 1, reason: error.reason)
      }
    }
    while player.lines.last == "" { player.lines.removeLast() }
    return player.lines.joined(separator: "\n") + "\n"
  }
}

/// Feeds lines to a machine and keeps the clock and the timers.
private struct TranscriptPlayer {
  var lines: [String] = []
  private var machine = SessionMachine()
  private var names: [(name: String, json: String)] = []
  private var now = Tick.zero
  private var timers: [TimerID: (due: Tick, order: Int)] = [:]
  private var timersStarted = 0

  mutating func play(_ line: Substring) throws(TranscriptWords.Failure) {
    let input = line.split(separator: " -> ", maxSplits: 1).first.map(String.init) ?? ""
    if line.isEmpty || line.hasPrefix("#") {
      lines.append(String(line))
    } else if line.hasPrefix("let ") {
      try define(input)
      lines.append(String(line))
    } else if line.hasPrefix("at ") {
      try playEvent(input)
    }
    // All other lines continue the actions of the line before, and are rewritten.
  }

  private mutating func define(_ line: String) throws(TranscriptWords.Failure) {
    let parts = line.dropFirst(4).split(separator: " = ", maxSplits: 1)
    guard parts.count == 2 else { throw .init(reason: "a definition reads: let name = JSON") }
    names.append((String(parts[0]), expand(String(parts[1]))))
  }

  private func expand(_ text: String) -> String {
    // Longer names first, so that $dmr does not match the beginning of $dmr2.
    names.sorted { $0.name.count > $1.name.count }.reduce(text) { text, entry in
      text.split(separator: "$" + entry.name, omittingEmptySubsequences: false).joined(separator: entry.json)
    }
  }

  private mutating func playEvent(_ input: String) throws(TranscriptWords.Failure) {
    let parts = input.dropFirst(3).split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let seconds = Double(parts[0]) else {
      throw .init(reason: "an event reads: at SECONDS EVENT")
    }
    let words = parts[1].trimmingSpaces
    // Timers are not input: they are written by the timer that fires.
    if words.hasPrefix("timer ") { return }
    fireTimers(until: Tick(.milliseconds(Int(bounded: (seconds * 1000).rounded()))))
    if words == "wait" {
      write(words, [])
    } else {
      let event = try TranscriptWords.event(expand(words))
      write(words, handle(event))
    }
  }

  private mutating func fireTimers(until end: Tick) {
    while let (timer, fire) = timers.min(by: {
      ($0.value.due, $0.value.order) < ($1.value.due, $1.value.order)
    }),
      fire.due <= end
    {
      now = max(now, fire.due)
      timers[timer] = nil
      write("timer \(timer)", handle(.timerFired(timer)))
    }
    now = max(now, end)
  }

  private mutating func handle(_ event: SessionMachine.Event) -> [SessionMachine.Action] {
    let actions = machine.handle(event, at: now)
    for action in actions {
      switch action {
      case .startTimer(let timer, let wait):
        timersStarted += 1
        timers[timer] = (now + wait, timersStarted)
      case .cancelTimer(let timer): timers[timer] = nil
      // All timers end with the session.
      case .publish(.ended): timers = [:]
      case .openTransport, .closeTransport, .send, .complete, .publish, .note: break
      }
    }
    return actions
  }

  private mutating func write(_ event: String, _ actions: [SessionMachine.Action]) {
    let milliseconds = Int(bounded: (now.sinceStart.seconds * 1000).rounded())
    let fraction = String(1000 + milliseconds % 1000).dropFirst()
    let head = "at \(milliseconds / 1000).\(fraction)  \(event)"
    let words = actions.map(TranscriptWords.words)
    let line = head + " -> " + words.joined(separator: " · ")
    if words.isEmpty {
      lines.append(head)
    } else if line.count <= 110 {
      lines.append(line)
    } else {
      lines.append(head)
      // The first line of actions carries the arrow, so that the eye finds it.
      for (index, word) in words.enumerated() { lines.append((index == 0 ? "    -> " : "     · ") + word) }
    }
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
