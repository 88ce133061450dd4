package import CastProtocol
import CastqFeeding
package import CastqSchedule
import CastqStore
package import CastqText

/// What is to interrupt screens.
package struct AnnouncementRequest {
  /// A programme, or a list, a folder or an address.
  package var source: String
  /// Whether it is the name of a programme, and never a file.
  package var isProgramme = false
  /// Whether it cuts what is on the screen, or waits for the end of the item.
  package var start = StartMode.hard
  /// From 0 to 1; nil leaves it as it is.
  package var volume: Double?
  /// Where what it interrupts continues.
  package var resume = ResumeMode.second

  package init(_ source: String) { self.source = source }

  /// Reads the members of an object: `source`, `at`, `wait_s`, `volume`, `resume`.
  /// - Throws: `usage`, naming the member.
  package init(_ object: JSONValue) throws(Failure) {
    let members = RequestMembers(object)
    self.init(try members.text("source"))
    switch object["at"]?.string {
    case "now"?, nil: start = .hard
    case "next"?: start = .next
    case "wait"?: start = .wait(seconds: try members.number("wait_s", 1...86_400))
    default: throw Failure("usage", "`at` is now, next or wait", exit: .usage)
    }
    if members.has("volume") { volume = Double(try members.number("volume", 0...100)) / 100 }
    guard members.has("resume") else { return }
    guard let mode = object["resume"]?.string.flatMap(ResumeMode.init(word:)) else {
      throw Failure("usage", "`resume` is second, item or restart", exit: .usage)
    }
    resume = mode
  }

  /// How long its beginning is waited for where no time limit was given.
  private static let patience = Duration.seconds(120)

  /// Makes a rule for each target, which the daemon plays at once.
  /// - Returns: what waits for its end, and what is wrong with single entries of its list.
  package func begin(_ call: ScheduleCall) async throws(Failure) -> (
    announcement: Announcement, problem: Failure?
  ) {
    guard call.workspace.hasDaemon else {
      throw Failure(
        "no_daemon", "no daemon feeds this database, so nothing can be announced", hint: .startDaemon,
        exit: .tryAgain)
    }
    let (choice, problem) = try await isProgramme ? (call.programme(source), nil) : call.choice(source)
    let patience = call.global.timeout ?? Self.patience
    let rules = try make(call, choice, patience)
    await call.poke()
    return (Announcement(call: call, rules: rules, patience: patience), problem)
  }

  private func make(
    _ call: ScheduleCall, _ choice: ProgrammeChoice, _ patience: Duration
  ) throws(Failure) -> [(rule: ScheduleRule, devices: [KnownDevice])] {
    let all = try call.workspace.ask { (here) throws(StoreError) in try here.devices.all() }
    let groups = try call.ask { (store) throws(StoreError) in
      try store.schedule(siteZone: .utc, zones: { _ in nil }).devices
    }
    let given = call.global.device.map(Optional.some)
    return try (given.isEmpty ? [call.global.meantDevice()] : given).map { (selector) throws(Failure) in
      let target = try call.target(selector)
      let screens = Set(groups.filter { $0.isTarget(of: target) }.map(\.id))
      let rule = try call.ask { (store) throws(StoreError) in
        try store.add(self.rule(target, patience), playing: choice, isNamed: false, at: .now)
      }
      return (rule, all.filter { screens.contains($0.id.ruleName) })
    }
  }

  /// What it is called everywhere: by what it shows, as in `Announcement: gong`.
  private var name: String {
    "Announcement: \(TerminalText.excerpt(isProgramme ? source : MediaTitle.shown(nil, url: source)))"
  }

  private func rule(_ target: RuleTarget, _ patience: Duration) -> ScheduleRule {
    // Rules start at whole seconds. An interruption takes the present one, so that it begins at once. What waits for the end of an item
    // takes the next one, because the item may have begun in the present second.
    let start = TimeZoneRules().localTime(at: self.start == .hard ? .now : WallTime.now.adding(seconds: 1))
    var rule = ScheduleRule(
      id: RuleID(0), name: name, programme: "", target: target,
      priority: ScheduleRule.announcementPriority, kind: .trigger, form: .once(start), zone: .utc)
    rule.start = self.start
    if case .wait(let seconds) = self.start { rule.start = .wait(seconds: max(seconds - 1, 0)) }
    rule.resume = resume
    rule.volume = volume
    // Until then somebody waits for it, and removes the rule.
    rule.missed = .within(seconds: Int(bounded: patience.seconds).adding(bounded: 5))
    return rule
  }
}
