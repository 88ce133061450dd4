import ArgumentParser
import CastqOperations
import CastqText

extension CalendarCommand {
  /// `castq calendar import NAME FILE.ics|URL`
  struct Import: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Give a calendar the days of an .ics file or address.",
      discussion: """
        Takes the days of the events from a year ago to ten years ahead (RFC 5545). A later import of the same calendar replaces its \
        days, and takes the same pattern unless another one is given.
        """)

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the calendar.") var name: String
    @Argument(
      help: ArgumentHelp("A file, an address, or - for standard input.", valueName: "file|url"),
      completion: .file())
    var source: String
    @Option(
      help: ArgumentHelp(
        "Only events whose name has this text; * stands for anything.", valueName: "pattern"))
    var keep: String?

    func run() async throws {
      let outcome = try await ScheduleCall(global).importDays(of: name, from: source, keeping: keep)
      if !outcome.isUsable, global.isMachineReadable { throw outcome.refusal }
      for issue in outcome.issues { Console.say("castq: \(issue.description)") }
      if let calendar = outcome.value, global.isMachineReadable {
        Console.print(ScheduleOutput.calendar(calendar))
      }
      if !outcome.isComplete {
        Console.say("castq: \(source): it repeats too often, and some of its days are left out")
      }
      if !outcome.isUsable || !outcome.isComplete || !outcome.issues.isEmpty { throw Silent(exit: .badData) }
    }
  }
}
