import ArgumentParser
import CastqCore
import CastqDaemon
import CastqStore

/// `castq plan`
struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Show what will be on which device, by which rule.",
    discussion: """
      By default the next 24 hours of all devices, by the clocks of the site. What has passed is planned by the rules as they were. With --check nothing is printed but what is wrong, and \
      the exit code is 1 when a minute is dark or a share cannot be kept.
      """)

  @OptionGroup var global: GlobalOptions

  // A time may begin with a minus sign, as an option does.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The first moment of the plan; now by default.", valueName: "time"),
    transform: PlanRange.time)
  var from: TimeArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The end of the plan; 24 hours after --from by default.", valueName: "time"),
    transform: PlanRange.time)
  var to: TimeArgument?

  @Option(
    help: ArgumentHelp("Time zone for input and output; that of the site by default.", valueName: "zone"),
    transform: NamedZone.init)
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
    let look = try ScheduleLook(global)
    let devices = try await look.devices(global)
    let zone = try tz ?? NamedZone(look.site)
    // One moment is both where a plan begins and where the past ends: between two, nothing would be known.
    let now = WallTime.now
    let range = try PlanRange.read(from, to, in: zone, now: now)
    if let diff {
      let changed = try schedule(with: diff, look)
      PlanDifference(
        from: look.schedule.book, to: changed, range: range, zone: zone, hasHeadings: devices.count > 1
      ).print(devices, isJSON: global.json)
      return try look.workspace.reportDamage()
    }
    let parts = try PlanParts(look, range, now: now)
    let output = PlanOutput(
      form, range: range, zone: zone, version: look.site.database.version, books: parts.books,
      hasHeadings: devices.count > 1)
    let isFailed = try print(devices, output, parts, look)
    try look.workspace.reportDamage()
    if check, isFailed { throw Silent(exit: .no) }
  }

  /// The schedule as it would be with a file, which needs a database that may be written, though nothing of it stays.
  private func schedule(with file: String, _ look: ScheduleLook) throws -> StoredSchedule {
    let store = ScheduleStore(look.workspace.database)
    let names = try look.workspace.ask { (_) throws(StoreError) in try store.siteNames() }
    let site = try SiteFile(file).read(names, isJSON: global.json).schedule
    return try look.workspace.ask { (_) throws(StoreError) in
      try store.schedule(
        with: site, isPruning: prune, siteZone: look.site.name, zones: look.site.rules(of:), at: .now)
    }
  }

  private var form: PlanOutput.Form {
    if global.json { return .json }
    if global.jsonl { return .lines }
    if ics { return .calendar }
    if csv { return .csv }
    return check ? .issues : .text
  }

  /// Prints one device after the other, so that a plan of many is never held as a whole.
  /// - Returns: whether a plan fails its check.
  private func print(
    _ devices: [ScheduleDevice], _ output: PlanOutput, _ parts: PlanParts, _ look: ScheduleLook
  ) throws(Failure) -> Bool {
    var (output, parts) = (output, parts)
    var isFailed = false
    Self.printText(output.head)
    for var device in devices {
      // A calendar has what is planned; that somebody stopped the device today is no event of next week.
      if ics { (device.stoppedAt, device.darkHours) = (nil, nil) }
      if !ics { device.passedOver = try look.passedOver(on: device) }
      let plan = parts.plan(for: device)
      isFailed = isFailed || plan.issues.contains { $0.issue.isFailure }
      Self.printText(output.text(plan, on: device))
    }
    Self.printText(output.tail)
    return isFailed
  }

  private static func printText(_ text: String) { if !text.isEmpty { Console.printLines(text) } }
}
