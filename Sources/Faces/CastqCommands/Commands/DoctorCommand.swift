import ArgumentParser
import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqOperations
import CastqOutput
import CastqText

/// `castq doctor`
struct DoctorCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Test the path to the device; one verdict a line, with the one thing to do.",
    discussion: """
      Nothing that plays is disturbed. Where the device displays nothing, an application is launched, a silent test sound is \
      played, and the application is closed again: only that proves that the device can fetch local files. Exits 0 when \
      nothing is wrong, otherwise with the code of the first failure.
      """)

  @OptionGroup var given: GivenOptions

  @Flag(
    inversion: .prefixedNo,
    help: """
      Launch an application, also in quiet hours and beside an idle daemon, or never; by default where neither is. \
      A screen that is in use is left alone in any case.
      """)
  var launch: Bool?

  /// The part of the other process that fetches what this one serves.
  @Option(help: .hidden)
  var fetchBack: String?

  func run() async throws {
    if let fetchBack { return Console.print(await FetchBack.document(of: fetchBack)) }
    try global.checkOne()
    let showsProgress = Console.talksToTerminal && !global.quiet && !global.isMachineReadable
    if showsProgress { Console.redraw("examining, for up to 15 s…") }
    defer { if showsProgress { Console.redraw("") } }
    let report = try await Examination.report(global, launch: launch)
    if showsProgress { Console.redraw("") }
    if global.json {
      Console.print(report.json())
    } else if global.jsonl {
      for verdict in report.json().array ?? [] { Console.print(verdict) }
    } else {
      VerdictLines(report).lines(on: Console.dataTerminal).forEach(Console.print)
    }
    if report.exit != .done { throw Silent(exit: report.exit) }
  }
}
