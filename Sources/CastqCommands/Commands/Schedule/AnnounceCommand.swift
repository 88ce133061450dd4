import ArgumentParser
import CastProtocol
import CastqCore
import CastqStore

/// `castq announce`
struct AnnounceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "announce", abstract: "Interrupt what devices show, and give their screens back.",
    usage: "castq announce <source> -d <sel> [<options>]",
    discussion: """
      Returns when it has been shown on every device, and otherwise names the devices on which it was not. A daemon has to run. \
      What was interrupted goes on at the second, unless --resume says otherwise. --timeout limits the wait for its beginning; \
      2m by default.
      """)

  @OptionGroup var global: GlobalOptions
  @Argument(
    help: "A programme, or a list, a folder or an address.", completion: NameCompletion.programmesAndFiles)
  var source: String
  @Flag(help: "SOURCE is the name of a programme, and never a file.") var programme = false
  @Flag(help: "Cut what is on the screen; this is the default.") var now = false
  @Flag(help: "Wait until the item on the screen ends.") var next = false
  @Option(
    help: ArgumentHelp(
      "Wait until the item on the screen ends, but so long at the most.", valueName: "duration"))
  var wait: DurationArgument?
  @Option(help: ArgumentHelp("Volume of the announcement, 0 to 100.", valueName: "n"))
  var volume: Int?
  @Option(
    help: ArgumentHelp(
      "Where what it interrupts continues.", valueName: "second|item|restart"),
    transform: RuleTermText.resume)
  var resume = ResumeMode.second

  func validate() throws {
    guard [now, next, wait != nil].count(where: { $0 }) <= 1 else {
      throw ValidationError("choose one of --now, --next and --wait")
    }
    if let volume, !(0...100).contains(volume) { throw ValidationError("--volume is 0 to 100") }
  }

  func run() async throws {
    let call = try ScheduleCall(global)
    guard call.workspace.hasDaemon else {
      throw Failure(
        "no_daemon", "no daemon feeds this database, so nothing can be announced: start 'castq daemon'",
        exit: .tryAgain)
    }
    let (choice, problem) = try await programme ? (call.programme(source), nil) : call.choice(source)
    let made = try await make(call, choice)
    let announcement = Announcement(
      call: call, rules: made, patience: global.timeout?.duration ?? .seconds(120))
    try await untilInterrupted {
      try await announcement.waitUntilShown()
      throw Silent(exit: problem?.exit ?? .done)
    }
  }

  /// A rule for each target.
  private func make(
    _ call: ScheduleCall, _ choice: ProgrammeChoice
  ) async throws -> [(rule: ScheduleRule, devices: [KnownDevice])] {
    let all = try call.workspace.ask { (here) throws(StoreError) in try here.devices.all() }
    let groups = try call.ask { (store) throws(StoreError) in
      try store.schedule(siteZone: .utc, zones: { _ in nil }).devices
    }
    var made: [(rule: ScheduleRule, devices: [KnownDevice])] = []
    let selectors = try global.device.isEmpty ? [global.meantDevice()] : global.device.map(Optional.some)
    for selector in selectors {
      let target = try call.target(selector)
      let screens = Set(groups.filter { $0.isTarget(of: target) }.map(\.id))
      let rule = try call.ask { (store) throws(StoreError) in
        try store.add(self.rule(target), playing: choice, isNamed: false, at: .now)
      }
      made.append((rule, all.filter { screens.contains($0.id.ruleName) }))
    }
    await call.poke()
    return made
  }

  /// What it is called in the log, plans and reports: by what it shows.
  private var name: String {
    let part = source.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init) ?? source
    return "announcement \(TerminalText.excerpt(part))"
  }

  private func rule(_ target: RuleTarget) -> ScheduleRule {
    // Rules start at whole seconds. An interruption takes the present one, so that it begins at once. What waits for the end of an item
    // takes the next one, because the item may have begun in the present second.
    let waits = next || wait != nil
    let start = TimeZoneRules().localTime(at: waits ? WallTime.now.adding(seconds: 1) : .now)
    var rule = ScheduleRule(
      id: RuleID(0), name: name, programme: "", target: target,
      priority: ScheduleRule.announcementPriority, kind: .trigger, form: .once(start), zone: .utc)
    rule.start =
      wait.map { .wait(seconds: max(Int(bounded: $0.seconds.rounded()) - 1, 0)) } ?? (next ? .next : .hard)
    rule.resume = resume
    rule.volume = volume.map { Double($0) / 100 }
    // Until then this command waits, and removes the rule.
    let patience = global.timeout?.duration ?? .seconds(120)
    rule.missed = .within(seconds: Int(bounded: patience.seconds).adding(bounded: 5))
    return rule
  }
}
