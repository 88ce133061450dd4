import ArgumentParser
import CastProtocol
import CastqDaemon
import CastqOperations
import CastqSchedule
import CastqStore
import CastqText

extension ScheduleCommand {
  /// `castq schedule import FILE.ics|URL`
  struct Import: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make rules of the events of an .ics file or address.",
      discussion: """
        An event's name is that of a programme; its times are those of the rule (RFC 5545), from yesterday to ten years ahead. A \
        later import of the same file or address changes those rules and removes those whose events are gone; rules that \
        others made stay as they are.
        """)

    @OptionGroup var given: GivenOptions
    @Argument(
      help: ArgumentHelp("A file, an address, or - for standard input.", valueName: "file|url"),
      completion: .file())
    var source: String
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("The higher one wins; 0 by default, negative ones are allowed.", valueName: "n"),
      transform: RuleTermText.priority)
    var priority = 0
    @Flag(help: "Print what would change, and change nothing.") var dryRun = false

    func run() async throws {
      try SiteFile.refuse(source)
      let outcome = try await ScheduleCall(global, isReader: dryRun).importRules(
        from: source, priority: priority, isDry: dryRun)
      if !outcome.isUsable, global.isMachineReadable { throw outcome.refusal }
      if let difference = outcome.value {
        if global.isMachineReadable {
          Console.print(["dry_run": .bool(dryRun), "changes": .array(difference.documents)])
        } else if !difference.changes.isEmpty {
          Console.printLines(AddressText.withoutSecrets(difference.lines.joined(separator: "\n") + "\n"))
        }
      }
      for issue in outcome.issues { Console.say("\(issue)") }
      if !outcome.issues.isEmpty { throw Silent(exit: .badData) }
    }
  }
}
