import ArgumentParser
import CastqOperations
import CastqSchedule
import CastqStore
import CastqText

/// `castq plan`
struct PlanCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Show what will be on which device, by which rule.",
    discussion: """
      By default the next 24 hours of all devices, by the clocks of the site. What has passed is what was on the screens. With --check nothing is printed but what is wrong, and \
      the exit code is 1 when a minute is dark or a share cannot be kept.
      """)

  @OptionGroup var given: GivenOptions

  // A time may begin with a minus sign, as an option does.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The first moment of the plan; now by default.", valueName: "time"),
    transform: PlanArguments.time)
  var from: TimeText?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The end of the plan; 24 hours after --from by default.", valueName: "time"),
    transform: PlanArguments.time)
  var to: TimeText?

  @Option(
    help: ArgumentHelp("Time zone for input and output; that of the site by default.", valueName: "zone"),
    transform: NamedZone.init(_:))
  var tz: NamedZone?

  @Flag(help: "Print only dark minutes, shares that cannot be kept, and notes; exit 1 for the first two.")
  var check = false

  @Option(
    help: ArgumentHelp(
      "Print how the plan would change with a file of 'castq schedule apply'.", valueName: "file"),
    completion: .file())
  var diff: String?

  @Flag(help: "Remove what the sections of the file of --diff do not have.")
  var prune = false

  @Flag(help: "Print a calendar (RFC 5545).")
  var ics = false

  @Flag(help: "Print comma-separated values.")
  var csv = false

  func validate() throws {
    guard [ics, csv, global.json, global.jsonl].count(where: { $0 }) <= 1 else {
      throw ValidationError("choose one of --ics, --csv, --json and --jsonl")
    }
    if prune, diff == nil { throw ValidationError("--prune goes with --diff") }
    if diff != nil, check || ics || csv || global.jsonl {
      throw ValidationError("--diff prints text or --json, and no --check")
    }
    if check, ics || csv { throw ValidationError("--check prints no --ics and no --csv") }
  }

  func run() async throws {
    let run = try await PlanRun(global, PlanQuery(from: from, to: to, tz: tz))
    let workspace = run.look.workspace
    if let diff {
      let changed = try schedule(with: diff, run.look)
      run.difference(to: changed).print(run.devices, isJSON: global.json)
      return try workspace.reportDamage()
    }
    let isFailed = try run.write(isCalendar: ics, as: form) { if !$0.isEmpty { Console.printLines($0) } }
    try workspace.reportDamage()
    if check, isFailed { throw Silent(exit: .no) }
  }

  /// The schedule as it would be with a file, which needs a database that may be written, though nothing of it stays.
  private func schedule(with file: String, _ look: ScheduleLook) throws -> StoredSchedule {
    let store = ScheduleStore(look.workspace.database)
    let names = try look.workspace.ask { (_) throws(StoreError) in try store.siteNames() }
    let site = try SiteFile(file).read(names, isJSON: global.json).schedule
    var changed = try look.workspace.ask { (_) throws(StoreError) in
      try store.schedule(
        with: site, isPruning: prune, siteZone: look.site.name, zones: look.site.rules(of:), at: .now)
    }
    changed.book.lengths = try look.lengths(of: changed.book.rules)
    return changed
  }

  private func form(_ frame: PlanFrame) -> any PlanForm {
    if global.json { return PlanFile(.json, frame) }
    if global.jsonl { return PlanFile(.lines, frame) }
    if ics { return PlanFile(.calendar, frame) }
    if csv { return PlanFile(.csv, frame) }
    return check ? PlanIssues(frame) : PlanText(frame, on: Console.dataTerminal)
  }
}
