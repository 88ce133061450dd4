import CastProtocol
import CastSender
import CastqCore
import CastqStore

/// An announcement that was made, until it has been shown everywhere.
struct Announcement: Sendable {
  let call: ScheduleCall
  let rules: [(rule: ScheduleRule, devices: [KnownDevice])]
  /// How long it may take until it begins on a device.
  let patience: Duration

  /// Returns when it has been shown on all devices.
  /// - Throws: which devices it was not shown on.
  func waitUntilShown() async throws {
    defer { remove() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      let (moments, send) = AsyncStream.makeStream(of: Bool.self)
      group.addTask { for await _ in call.workspace.changes() { send.yield(false) } }
      group.addTask { [patience] in
        try await TimeSource.continuous.sleep(patience)
        send.yield(true)
      }
      send.yield(false)
      defer { group.cancelAll() }
      var isLate = false
      for await isOver in moments {
        isLate = isLate || isOver
        let states = try states()
        if !states.contains(where: { Self.isOpen($0.outcome, isLate) }) { return try report(states) }
      }
    }
  }

  private static func isOpen(_ outcome: AnnouncementOutcome?, _ isLate: Bool) -> Bool {
    switch outcome {
    case .shows: true
    case .over, .failed: false
    case nil: !isLate
    }
  }

  private typealias State = (device: KnownDevice, outcome: AnnouncementOutcome?)

  private func states() throws(Failure) -> [State] {
    var states: [State] = []
    for (rule, devices) in rules {
      let outcomes = try call.ask { (store) throws(StoreError) in try store.outcomes(of: rule.id) }
      states += devices.map { ($0, outcomes[$0.id]) }
    }
    return states
  }

  private func remove() {
    for (rule, _) in rules { try? call.store.removeRule(rule.name, at: .now) }
  }

  private func report(_ states: [State]) throws {
    if call.global.json || call.global.jsonl {
      Console.print(["announced": .array(states.map(Self.document))] as JSONValue)
    }
    let missing = states.filter { if case .over = $0.outcome { false } else { true } }
    guard let first = missing.first else {
      if !call.global.isMachineReadable, !call.global.quiet {
        Console.say("castq: shown on \(states.map(\.device.label).joined(separator: ", "))")
      }
      return
    }
    let words = missing.map { "\($0.device.label): \(Self.words($0.outcome))" }.joined(separator: "; ")
    let isFailed = if case .failed = first.outcome { true } else { false }
    throw Failure("not_shown", "not shown on \(words)", exit: isFailed ? .refused : .unreachable)
  }

  private static func words(_ outcome: AnnouncementOutcome?) -> String {
    switch outcome {
    case .failed(let words): words
    case .shows, .over, nil: "it did not begin in time; 'castq doctor' says whether the device answers"
    }
  }

  private static func document(_ state: State) -> JSONValue {
    var (isShown, seconds): (Bool, JSONValue) = (false, .null)
    if case .over(let played) = state.outcome { (isShown, seconds) = (true, .number(played)) }
    return [
      "device": .string(state.device.label), "shown": .bool(isShown), "played_s": seconds,
      "problem": isShown ? .null : .string(words(state.outcome)),
    ]
  }
}
