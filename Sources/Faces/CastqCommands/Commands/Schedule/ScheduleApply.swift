import ArgumentParser
import CastProtocol
import CastqOperations
import CastqSchedule
import CastqStore

extension ScheduleCommand {
  /// `castq schedule apply FILE`
  struct Apply: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make the schedule what a file says, and print what changes.",
      discussion: """
        + is new, ~ changes, - goes. All of it is one transaction; a file with a mistake changes nothing, and every mistake is \
        named. What the file does not have stays, unless --prune is given. An exception at a time that its rule never has is kept, and \
        reported.
        """)

    @OptionGroup var given: GivenOptions
    @Argument(
      help: ArgumentHelp("The file, or - for standard input.", valueName: "file"), completion: .file())
    var file: String
    @Flag(help: "Print what would change, and change nothing.") var dryRun = false
    @Flag(help: "Remove what the sections of the file do not have.") var prune = false

    func run() async throws {
      let call = try ScheduleCall(global, isReader: dryRun)
      let document = try SiteFile(file).read(call.siteNames(), isJSON: global.isMachineReadable)
      let change = try await call.apply(document, isDry: dryRun, isPruning: prune)
      if global.isMachineReadable {
        Console.print(change.json)
        return try call.workspace.reportDamage()
      }
      if !global.quiet { for doubt in change.doubts { Console.say("castq: \(doubt)") } }
      let difference = change.difference
      if !difference.changes.isEmpty {
        Console.printLines(AddressText.withoutSecrets(difference.lines.joined(separator: "\n") + "\n"))
      }
      try call.workspace.reportDamage()
    }
  }
}
