package import CastProtocol
import CastSender
import CastqSchedule
import CastqStore
package import CastqText

/// An announcement that was made, until it has been shown everywhere.
package struct Announcement: Sendable {
  let call: ScheduleCall
  let rules: [(rule: ScheduleRule, devices: [KnownDevice])]
  /// How long it may take until it begins on a device.
  let patience: Duration

  /// What came of it.
  package struct Report {
    /// How it went on each device.
    let devices: [JSONValue]
    /// Where it was not shown, and why; nil when it was shown everywhere.
    package let failure: Failure?

    /// One document: what failed stands beside what was shown.
    package var json: JSONValue {
      var document: [String: JSONValue] = ["announced": .array(devices)]
      if let failure { document["error"] = failure.document["error"] }
      return .object(document)
    }
  }

  /// Returns when it has been shown on all devices, or can no more be.
  /// - Parameter step: hears how far each device is, at first and whenever one of them is further: `device`, `state` (`waiting`, `on`,
  ///   `shown`, `not_shown`) and `problem`.
  package func untilShown(
    _ step: @Sendable ([JSONValue]) async -> Void = { _ in }
  ) async throws(Failure) -> Report {
    do { return try await watched(step) } catch let failure as Failure { throw failure } catch {
      throw Failure("cancelled", "the announcement was cancelled", exit: .terminated)
    }
  }

  private func watched(_ step: @Sendable ([JSONValue]) async -> Void) async throws -> Report {
    defer { remove() }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      let (moments, send) = AsyncStream.makeStream(of: Moment.self)
      group.addTask { for await _ in call.workspace.changes() { send.yield(.change) } }
      group.addTask { [patience] in
        try await TimeSource.continuous.sleep(patience)
        send.yield(.late)
      }
      group.addTask { [workspace = call.workspace] in
        try await workspace.untilDaemonIsGone()
        send.yield(.alone)
      }
      send.yield(.change)
      defer { group.cancelAll() }
      var (isLate, awaitsEnd, isLast) = (false, false, false)
      var told: [JSONValue] = []
      for await moment in moments {
        isLate = isLate || moment == .late
        isLast = isLast || moment == .last
        let states = try states()
        let steps = states.map(Self.step)
        if steps != told {
          told = steps
          await step(steps)
        }
        if moment == .alone { return await report(states, isAlone: true) }
        if states.contains(where: { Self.isOpen($0.outcome, isLate) }) { continue }
        if isLast || !states.contains(where: { Self.isEnding($0.outcome) }) {
          return await report(states)
        }
        // The screen is given back a moment before the end of the play is heard.
        guard !awaitsEnd else { continue }
        awaitsEnd = true
        group.addTask {
          try await TimeSource.continuous.sleep(Self.patienceForEnds)
          send.yield(.last)
        }
      }
      throw CancellationError()
    }
  }

  /// Why the states are read.
  private enum Moment {
    /// The database has changed.
    case change
    /// What has not begun by now does not count as begun any more.
    case late
    /// Ends that are not written by now are not waited for.
    case last
    /// No daemon runs any more: nothing begins, and nobody writes an end.
    case alone
  }

  /// How long the end of a play may take to be written. A device that is gone reports none.
  private static let patienceForEnds = Duration.seconds(10)

  private static func isEnding(_ outcome: AnnouncementOutcome?) -> Bool {
    if case .ending = outcome { true } else { false }
  }

  private static func isOpen(_ outcome: AnnouncementOutcome?, _ isLate: Bool) -> Bool {
    switch outcome {
    case .shows: true
    case .over, .ending, .cut, .stopped, .failed: false
    case nil: !isLate
    }
  }

  private typealias State = (device: KnownDevice, outcome: AnnouncementOutcome?)

  private func states() throws(Failure) -> [State] {
    var states: [State] = []
    let stopped = try call.workspace.ask { (here) throws(StoreError) in try here.queue.stoppedDevices() }
    for (rule, devices) in rules {
      let outcomes = try call.ask { (store) throws(StoreError) in try store.outcomes(of: rule.id) }
      // Nothing begins on a device that a person stopped.
      states += devices.map { device in
        (device, outcomes[device.id] ?? (stopped.contains(device.id) ? .stopped(seconds: 0) : nil))
      }
    }
    return states
  }

  private func remove() {
    for (rule, _) in rules { try? call.store.removeRule(rule.name, at: .now) }
  }

  private func report(_ states: [State], isAlone: Bool = false) async -> Report {
    var problems: [String?] = []
    for state in states {
      problems.append(isAlone ? Self.problemAlone(state.outcome) : await problem(of: state))
    }
    return Report(
      devices: zip(states, problems).map(Self.document), failure: Self.failure(states, problems))
  }

  /// Where it was not shown, and why; nil when it was shown everywhere.
  private static func failure(_ states: [State], _ problems: [String?]) -> Failure? {
    let missing = zip(states, problems).filter { $0.1 != nil }
    guard let first = missing.first else { return nil }
    let words = missing.map { "\($0.0.device.label): \($0.1 ?? "")" }.joined(separator: "; ")
    return Failure("not_shown", "not shown on \(words)", exit: exit(of: first.0.outcome))
  }

  private static func exit(of outcome: AnnouncementOutcome?) -> ExitStatus {
    switch outcome {
    case .failed: .refused
    case .stopped, .cut: .no
    case .shows, .over, .ending, nil: .unreachable
    }
  }

  /// How far it is on a device.
  private static func step(_ state: State) -> JSONValue {
    let problem = problem(state.outcome)
    let word =
      switch state.outcome {
      case nil: "waiting"
      case .shows, .ending: "on"
      case .over: "shown"
      case .cut, .stopped, .failed: "not_shown"
      }
    return [
      "device": .string(state.device.label), "state": .string(word),
      "problem": word == "not_shown" ? JSONValue(problem) ?? .null : .null,
    ]
  }

  /// Why it was not shown on a device, or not to its end; nil when it was.
  private func problem(of state: State) async -> String? {
    switch state.outcome {
    case .shows, nil: await Self.words(try? call.workspace.outlook(state.device, call.global))
    default: Self.problem(state.outcome)
    }
  }

  /// The same as far as it is known of what came of it.
  private static func problem(_ outcome: AnnouncementOutcome?) -> String? {
    switch outcome {
    case .over, .shows, nil: nil
    case .failed(let words): words
    case .ending(let seconds): "its end was not seen, \(seen(seconds))"
    case .cut(let seconds, true, _): "it was skipped, \(seen(seconds))"
    case .cut(let seconds, _, let why):
      "it was cut off, \(seen(seconds))\(why.map { ": \($0)" } ?? "")"
    case .stopped(let seconds) where seconds > 0: "the device was stopped \(seen(seconds))"
    case .stopped: "the device is stopped, until somebody plays on it"
    }
  }

  /// The same where no daemon runs any more.
  private static func problemAlone(_ outcome: AnnouncementOutcome?) -> String? {
    switch outcome {
    case nil: "the daemon has ended before it began"
    case .shows: "the daemon has ended, and nobody sees whether it is shown to its end"
    case .over, .ending, .cut, .stopped, .failed: problem(outcome)
    }
  }

  private static func seen(_ seconds: Double) -> String { "after \(Int(bounded: seconds.rounded())) s of it" }

  private static func words(_ outlook: Outlook?) -> String {
    switch outlook?.reason {
    case .guest: "another sender has the screen"
    case .quietHours: "it has quiet hours"
    case .stopped, .stoppedAtDevice: "the device is stopped, until somebody plays on it"
    case .unreachable: "the device does not answer"
    default: "it did not begin in time"
    }
  }

  private static func document(_ state: State, problem: String?) -> JSONValue {
    let seconds: JSONValue =
      switch state.outcome {
      case .over(let seconds), .ending(let seconds), .stopped(let seconds): .number(seconds)
      case .cut(let seconds, _, _): .number(seconds)
      case .shows, .failed, nil: .null
      }
    return [
      "device": .string(state.device.label), "shown": .bool(problem == nil), "played_s": seconds,
      "problem": JSONValue(problem) ?? .null,
    ]
  }
}

extension Workspace {
  /// How long no daemon may run: one that is restarted adopts what is on the screens.
  private static let patienceForDaemons = 10

  /// Returns when no daemon has run for a while.
  fileprivate func untilDaemonIsGone() async throws {
    var seconds = 0
    while seconds < Self.patienceForDaemons {
      try await TimeSource.continuous.sleep(.seconds(1))
      seconds = hasDaemon ? 0 : seconds + 1
    }
  }
}
