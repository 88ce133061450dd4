import ArgumentParser
import CastqCore
import CastqDaemon
import CastqStore

/// `castq plan`
struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Show what will be on which device, by which rule.",
    discussion: """
      By default the next 24 hours of all devices, by the clocks of the site. With --check nothing is printed but what is wrong, and \
      the exit code is 1 when a minute is dark or a share cannot be kept.
      """)

  @OptionGroup var global: GlobalOptions

  // A time may begin with a minus sign, as an option does.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The first moment of the plan; now by default.", valueName: "time"),
    transform: TimeArgument.init)
  var from: TimeArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The end of the plan; 24 hours after --from by default.", valueName: "time"),
    transform: TimeArgument.init)
  var to: TimeArgument?

  @Option(
    help: ArgumentHelp("Time zone for input and output; that of the site by default.", valueName: "zone"),
    transform: NamedZone.init)
  var tz: NamedZone?

  @Flag(help: "Print only dark minutes, shares that cannot be kept, and notes; exit 1 for the first two.")
  var check = false

  @Flag(help: "Print a calendar (RFC 5545).")
  var ics = false

  @Flag(help: "Print comma-separated values.")
  var csv = false

  func validate() throws {
    guard [ics, csv, global.json, global.jsonl].count(where: { $0 }) <= 1 else {
      throw ValidationError("choose one of --ics, --csv, --json and --jsonl")
    }
    if check, ics || csv { throw ValidationError("--check prints no --ics and no --csv") }
  }

  func run() async throws {
    let look = try ScheduleLook(global)
    let devices = try await look.devices(global)
    let zone = try tz ?? NamedZone(look.site)
    let range = try PlanRange.read(from, to, in: zone)
    let output = PlanOutput(
      form, range: range, zone: zone, version: look.site.database.version, book: look.schedule.book,
      hasHeadings: devices.count > 1)
    let isFailed = print(devices, output, look.schedule.book, range)
    try look.workspace.reportDamage()
    if check, isFailed { throw Silent(exit: .no) }
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
    _ devices: [ScheduleDevice], _ output: PlanOutput, _ book: ScheduleBook, _ range: Range<WallTime>
  ) -> Bool {
    var output = output
    var planner = Planner(book, range: range)
    var isFailed = false
    Self.printText(output.head)
    for device in devices {
      let plan = planner.plan(for: device)
      isFailed = isFailed || plan.issues.contains(where: \.isFailure)
      Self.printText(output.text(plan, on: device))
    }
    Self.printText(output.tail)
    return isFailed
  }

  private static func printText(_ text: String) { if !text.isEmpty { Console.printLines(text) } }
}
