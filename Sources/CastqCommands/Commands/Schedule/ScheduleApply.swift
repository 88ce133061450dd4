import ArgumentParser
import CastProtocol
import CastqCore
import CastqOperations
import CastqStore

extension ScheduleCommand {
  /// `castq schedule apply FILE`
  struct Apply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make the schedule what a file says, and print what changes.",
      discussion: """
        + is new, ~ changes, - goes. All of it is one transaction; a file with a mistake changes nothing, and every mistake is \
        named. What the file does not have stays, unless --prune is given. An exception at a time that its rule never has is kept, and \
        reported.
        """)

    @OptionGroup var given: GivenOptions
    var global: CallOptions { given.call }
    @Argument(
      help: ArgumentHelp("The file, or - for standard input.", valueName: "file"), completion: .file())
    var file: String
    @Flag(help: "Print what would change, and change nothing.") var dryRun = false
    @Flag(help: "Remove what the sections of the file do not have.") var prune = false

    func run() async throws {
      let call = try ScheduleCall(global, isReader: dryRun)
      let (workspace, store) = (call.workspace, call.store)
      let names = try workspace.ask { (_) throws(StoreError) in try store.siteNames() }
      let source = SiteFile(file)
      let document = try source.read(names, isJSON: global.isMachineReadable)
      let site = document.schedule
      let doubts = try workspace.ask { (_) throws(StoreError) in try source.doubts(of: document, over: store)
      }
      let difference = try workspace.ask { (_) throws(StoreError) in
        try dryRun
          ? store.rehearse(site, isPruning: prune, at: .now)
          : store.apply(site, isPruning: prune, seed: { .random(in: 0...UInt64.max) }, at: .now)
      }
      if !dryRun, !difference.changes.isEmpty { await call.poke() }
      if global.isMachineReadable {
        Console.print([
          "dry_run": .bool(dryRun), "changes": .array(difference.documents),
          "issues": .array(doubts.map(JSONOutput.issue)),
        ])
        return try workspace.reportDamage()
      }
      if !global.quiet { for doubt in doubts { Console.say("castq: \(doubt)") } }
      if !difference.changes.isEmpty {
        Console.printLines(AddressText.withoutSecrets(difference.lines.joined(separator: "\n") + "\n"))
      }
      try workspace.reportDamage()
    }
  }
}
